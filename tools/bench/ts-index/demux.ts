import { open } from 'node:fs/promises';
import { createDemuxer, createSegmentMap, type SegmentMapBuilder } from '@osprey/mpegts';

// Demuxes one stream into segments, keyframes and whole KLV packets, which are counted and not decoded: what a
// demuxer alone does. As in ingest two buffers are filled while the third is worked on.
const [path = ''] = process.argv.slice(2);
const CHUNK_BYTES = 1024 * 1024;
let map: SegmentMapBuilder | null = null;
let klv = 0;
const demuxer = createDemuxer({
  program({ number, streams }) {
    const video = streams.find(({ kind }) => ['h264', 'h265', 'mpeg2'].includes(kind));
    if (video && map === null) map = createSegmentMap({ videoPid: video.pid, programNumber: number });
  },
  accessUnit: (unit) => map?.add(unit),
  klv: () => {
    klv += 1;
  },
});
const file = await open(path);
const buffers = [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
const bufferOf = (step: number) => buffers[step % buffers.length]!;
const read = async (step: number) => (await file.read(bufferOf(step), 0, CHUNK_BYTES, step * CHUNK_BYTES)).bytesRead;
const coming = buffers.map((_, step) => read(step));
for (let step = 0; ; step += 1) {
  const filled = await coming.shift()!;
  if (filled === 0) break;
  demuxer.push(bufferOf(step).subarray(0, filled));
  coming.push(read(step + buffers.length));
}
await Promise.all(coming);
await file.close();
const report = demuxer.end();
const finished = (map as SegmentMapBuilder | null)?.finish(report.bytes, report);
process.stdout.write(`${JSON.stringify({ segments: finished?.segments.length ?? 0, klv })}\n`);
