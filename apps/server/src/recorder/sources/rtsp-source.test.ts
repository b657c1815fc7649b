import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemuxer } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { describe, expect, it } from 'vitest';
import { endlessStream } from '../../../../../tools/test-support/endless-stream.ts';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { whyRtspEnded } from './rtsp-source.ts';

const SERVER = new URL('../../../../../tools/test-support/rtsp-server.py', import.meta.url).pathname;
const probe = 'import gi; gi.require_version("GstRtspServer", "1.0")';
const canServe = existsSync('/usr/bin/ffmpeg') && spawnSync('/usr/bin/python3', ['-c', probe]).status === 0;
if (!canServe) {
  process.stderr.write('Skipped: RTSP needs ffmpeg, python3-gi, gir1.2-gst-rtsp-server-1.0 and GStreamer plugins\n');
}

/** PTS count 90 kHz. */
const TICKS_PER_MS = 90;
const PORT = 22_000 + (process.pid % 500);
const LOOPBACK = { allowed: ['127.0.0.1'] };

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-rtsp-'));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
}

/** Serves some twenty seconds of a recording, without waiting for the end. */
async function serve(...how: string[]): Promise<void> {
  const folder = await temporaryFolder();
  const sample = readFileSync(testData('ts/kwiver/h264_klv.ts'));
  const rounds = Array.from({ length: 20 }, (_, round) => round).map(endlessStream(sample));
  await writeFile(join(folder, 'live.ts'), Buffer.concat(rounds));
  await serveFile(join(folder, 'live.ts'), how);
}

async function serveFile(file: string, how: readonly string[]): Promise<void> {
  const [transport = '', way = '', ...account] = how;
  const words = [SERVER, String(PORT), file, transport, way, ...account];
  const child = spawn('/usr/bin/python3', words, { stdio: ['ignore', 'pipe', 'ignore'] });
  atEnd(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

function contents(bytes: Buffer) {
  const seen = { pictures: 0, keyframes: 0, klv: 0 };
  const demuxer = createDemuxer({
    accessUnit: ({ kind, keyframe }) => {
      if (kind === 'h264') seen.pictures += 1;
      if (keyframe) seen.keyframes += 1;
    },
    klv: () => {
      seen.klv += 1;
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return seen;
}

/** The time of each set by its bytes. */
function setTimes(bytes: Buffer): Map<string, number> {
  const times = new Map<string, number>();
  const demuxer = createDemuxer({
    klv: ({ bytes: all, start, end, ptsTicks }) => {
      times.set(Buffer.from(all.subarray(start, end)).toString('hex'), ptsTicks ?? Number.NaN);
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return times;
}

/** The time of each picture by what its slices are; parameter sets come and go on the way. */
function pictureTimes(file: string): Map<string, number> {
  const slices = ['-map', '0:v', '-c', 'copy', '-bsf:v', 'filter_units=remove_types=6-9', '-f', 'framehash', '-'];
  const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-copyts', '-i', file, ...slices]);
  const lines = stdout
    .toString()
    .split('\n')
    .filter((line) => /^\d/.test(line));
  return new Map(
    lines.map((line) => line.split(',').map((field) => field.trim())).map((all) => [all[5]!, Number(all[2])]),
  );
}

/** Difference of each time from its earlier value. */
const shifts = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
  [...after].map(([what, ticks]) => ticks - (before.get(what) ?? Number.NaN));

it.each([
  [
    '[tcp @ 0x5740112840c0] Connection to tcp://127.0.0.1:40404?timeout=0 failed: Connection refused',
    'Nobody answers at',
  ],
  ['[rtsp @ 0x55b7f4034040] Error during demuxing: Connection timed out', 'Nobody answers at'],
  ['[rtsp @ 0x404] method DESCRIBE failed: 401 Unauthorized', 'refuses the name or the password'],
  ['[rtsp @ 0x401] method SETUP failed: 404 Not Found', 'knows no such stream'],
  ['[rtsp @ 0x401403404] Input/output error', 'ended'],
])('reads the reason from %s', (stderr, reason) => {
  expect(whyRtspEnded('10.0.0.7:554', stderr)).toContain(reason);
});

describe.skipIf(!canServe)('an RTSP source', () => {
  async function pulls(transport: string, way: string) {
    await serve(transport, way);

    const source = await openedSource(`rtsp://127.0.0.1:${PORT}/live`, LOOPBACK);

    await expect.poll(() => contents(source.bytes()).pictures).toBeGreaterThan(20);
    const { keyframes, klv } = contents(source.bytes());
    expect(keyframes).toBeGreaterThan(0);
    if (way === 'ts') expect(klv).toBeGreaterThan(0);
  }

  const name = 'pulls over %s what is sent as %s';
  itWithData.each([
    ['udp', 'video'],
    ['tcp', 'ts'],
  ])(name, pulls);
  itWithData.each([['tcp', 'video']])(name, { tags: 'long' }, pulls);

  it.each(['tcp', 'udp'])(
    'pulls metadata that come over %s as a stream of their own, with their pictures',
    { tags: 'long', timeout: 180_000 },
    async (transport) => {
      const folder = await temporaryFolder();
      const [sent, received] = [join(folder, 'flight.ts'), join(folder, 'received.ts')];
      await simulateToFile({ width: 320, height: 180, fps: 10, seconds: 10, ships: 0 }, sent);
      await serveFile(sent, [transport, 'klv']);

      const source = await openedSource(`rtsp://127.0.0.1:${PORT}/live`, LOOPBACK);

      await expect.poll(() => contents(source.bytes()).pictures).toBeGreaterThan(20);
      await source.close();
      const bytes = source.bytes();
      await writeFile(received, bytes);
      const pictures = shifts(pictureTimes(sent), pictureTimes(received));
      const sets = shifts(setTimes(readFileSync(sent)), setTimes(bytes));
      // ffmpeg begins at a time of its own; no set may go to another picture for that. The last ones may be cut. Each
      // sender report of each of the two streams states the time again, rounded on both sides: they differ by some
      // ticks, far below a millisecond.
      const [shift] = pictures;
      expect(shift).toEqual(expect.any(Number));
      const astray = (one: number) => !(Math.abs(one - shift!) < TICKS_PER_MS);
      expect(pictures.slice(0, -1).filter(astray)).toEqual([]);
      expect(sets.length).toBeGreaterThan(20);
      expect(sets.slice(0, -1).filter(astray)).toEqual([]);
    },
  );

  itWithData('gives its password to the server, and says when that is wrong without telling it', async () => {
    await serve('tcp', 'video', 'eye', 'hush-hush');

    const refused = await openedSource(`rtsp://eye:wrong-word@127.0.0.1:${PORT}/live`, LOOPBACK);
    await refused.ended;
    const taken = await openedSource(`rtsp://eye:hush-hush@127.0.0.1:${PORT}/live`, LOOPBACK);

    await expect.poll(() => contents(taken.bytes()).pictures).toBeGreaterThan(5);
    expect(refused.problems).toEqual([`127.0.0.1:${PORT} refuses the name or the password`]);
  });

  itWithData('says when the server knows no such stream, or is not there', async () => {
    await serve('tcp', 'video');

    const wrong = await openedSource(`rtsp://127.0.0.1:${PORT}/other`, LOOPBACK);
    const nobody = await openedSource('rtsp://127.0.0.1:1/live', LOOPBACK);
    await Promise.all([wrong.ended, nobody.ended]);

    expect(wrong.problems).toEqual([`127.0.0.1:${PORT} knows no such stream`]);
    expect(nobody.problems).toEqual(['Nobody answers at 127.0.0.1:1']);
  });
});
