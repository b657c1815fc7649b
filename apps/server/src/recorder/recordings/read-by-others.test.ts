import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { simulateToFile } from '@osprey/simulator';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { readFileIndex } from '../../media/index/file-index.ts';

const RTSP_SERVER = new URL('../../../../../tools/test-support/rtsp-server.py', import.meta.url).pathname;
const canServe = spawnSync('/usr/bin/python3', ['-c', 'import gi; gi.require_version("GstRtspServer", "1.0")']);
const programs = ['ffmpeg', 'ffprobe', 'gst-launch-1.0', 'srt-live-transmit'].map((name) => `/usr/bin/${name}`);
const canRun = canServe.status === 0 && programs.every(existsSync);
if (!canRun)
  process.stderr.write('Skipped: recordings read by others need ffmpeg, GStreamer with RTSP and srt-tools\n');

const FLIGHT = { width: 320, height: 180, fps: 10, seconds: 6, ships: 0 };
/**
 * At least this many of 60. An SRT sender hangs up while the last seconds wait for their time at the receiver, as SRT
 * has it.
 */
const LEAST_PICTURES = 20;
const FIRST_PORT = 31_000 + (process.pid % 400) * 4;
const [UDP, SRT, RTSP] = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2];
const URLS = [
  `udp://127.0.0.1:${UDP}`,
  `srt://127.0.0.1:${SRT}?mode=listener&latency=500`,
  `rtsp://127.0.0.1:${RTSP}/live`,
];
const WAIT = { timeout: 60_000, interval: 50 };
const run = promisify(execFile);

/** Datagrams sent before the port is bound are lost. */
const isBound = (port: number): boolean => {
  const place = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return ['udp', 'udp6'].some((table) => readFileSync(`/proc/net/${table}`, 'utf8').includes(place));
};

async function send(flight: string, to: string): Promise<void> {
  const input = ['-nostdin', '-v', 'error', '-re', '-i', flight, '-map', '0', '-c', 'copy'];
  await run('/usr/bin/ffmpeg', [...input, '-f', 'mpegts', to]);
}

async function serve(flight: string): Promise<void> {
  const child = spawn('/usr/bin/python3', [RTSP_SERVER, String(RTSP), flight, 'tcp', 'video'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  atEnd(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

async function packetsByFfprobe(file: string): Promise<number> {
  const { stdout } = await run('/usr/bin/ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets'],
    ...['-of', 'default=nokey=1:noprint_wrappers=1', file],
  ]);
  return Number(stdout.trim().split('\n')[0]);
}

async function packetsByGstreamer(file: string): Promise<number> {
  const pipeline = [
    ...['-v', 'filesrc', `location=${file}`, '!', 'tsdemux', '!', 'h264parse', '!', 'video/x-h264,alignment=au'],
    ...['!', 'fakesink', 'silent=false', 'sync=false'],
  ];
  const { stdout } = await run('/usr/bin/gst-launch-1.0', pipeline, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.match(/chain +\*{7}/g)?.length ?? 0;
}

it.skipIf(!canRun)(
  'what came from ffmpeg by UDP and SRT and from GStreamer by RTSP is read by both with the packets of our own index',
  { tags: 'long', timeout: 240_000 },
  async () => {
    const platforms = URLS.map((url, n) => platformOrder({ n, sensors: 1, url: () => url }));
    const recorder = await recorderProcess(platforms, { OSPREY_SOURCE_ALLOW: '127.0.0.1' });
    const flight = join(recorder.dataDir, 'flight.ts');
    await simulateToFile(FLIGHT, flight);
    const recordings = platforms.map((platform) => recordingOf(platform, Date.now() * 1000));
    for (const recording of recordings) {
      expect(await recorder.client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
    }
    await vi.waitFor(() => expect([UDP, SRT].map(isBound)).toEqual([true, true]), WAIT);
    await serve(flight);
    const filesOf = (n: number) => recorder.recordings.get(recordings[n]!.missionId)?.sensors[0]?.files ?? [];

    await Promise.all([send(flight, `${URLS[0]}?pkt_size=1316`), send(flight, `srt://127.0.0.1:${SRT}?mode=caller`)]);

    // Each sender has ended; the RTSP server begins again, which is another file.
    for (const n of URLS.keys())
      await vi.waitFor(() => expect(filesOf(n)[0]?.endedUs).toEqual(expect.any(Number)), WAIT);
    for (const { missionId } of recordings) {
      expect(await recorder.client.request({ kind: 'stop', missionId, sensors: null })).toBeNull();
    }

    const storage = folderStorage({ root: join(recorder.dataDir, 'files') });
    for (const [n, { sensors }] of recordings.entries()) {
      const { sensorId } = sensors[0]!;
      const { fileId } = filesOf(n)[0]!;
      const file = join(recorder.dataDir, 'files', originalKey(sensorId, fileId));
      const { frames } = (await readFileIndex(storage, sensorId, fileId))!;
      const read = [await packetsByFfprobe(file), await packetsByGstreamer(file)];
      expect([URLS[n], read]).toEqual([URLS[n], [frames, frames]]);
      expect(frames).toBeGreaterThan(LEAST_PICTURES);
    }
    expect(recorder.errors).toEqual([]);
  },
);
