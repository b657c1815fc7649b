import { open } from 'node:fs/promises';
import { createDemuxer, createSegmentMap, readAhead, type SegmentMapBuilder } from '@osprey/mpegts';

// Demuxes one stream into segments, key frames and whole KLV packets, which are counted but not decoded: the work of a
// demuxer alone, reading the file as ingest does.
const [path = ''] = process.argv.slice(2);
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
const source = {
  sizeBytes: (await file.stat()).size,
  read: async (buffer: Uint8Array, position: number) =>
    (await file.read(buffer, 0, buffer.byteLength, position)).bytesRead,
};
for await (const { bytes } of readAhead(source)) demuxer.push(bytes);
await file.close();
const report = demuxer.end();
const finished = (map as SegmentMapBuilder | null)?.finish(report.bytes, report);
process.stdout.write(`${JSON.stringify({ segments: finished?.segments.length ?? 0, klv })}\n`);
