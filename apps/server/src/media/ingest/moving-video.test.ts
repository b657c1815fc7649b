import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { picturesIn, recorded } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { putTogether, type TakenUnit, takeApart } from '../../../test/remux.ts';

const server = await recordingServer();
const folder = await mkdtemp(join(tmpdir(), 'osprey-moving-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const hasFfmpeg = existsSync('/usr/bin/ffmpeg');
const itProbes = hasFfmpeg ? itWithData : itWithData.skip;

/** The osh recording: 277 pictures and sets in 9.23 s; its second half begins at a key frame. */
let halves: [TakenUnit[], TakenUnit[]] = [[], []];
beforeAll(async () => {
  if (testDataFolder === null) return;
  const units = takeApart(await readFile(testData('ts/osh/sample-stream.ts')));
  const middle = units.findIndex((unit, i) => i > units.length / 2 && unit.keyframe === true);
  halves = [units.slice(0, middle), units.slice(middle)];
});

const FIRST = { video: { pid: 256, kind: 'h264' }, klv: { pid: 257, kind: 'klvAsync' } } as const;
const SECOND = { video: { pid: 768, kind: 'h264' }, klv: { pid: 769, kind: 'klvAsync' } } as const;

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

describe('a recording whose video moves to another PID', () => {
  async function playsComplete(_what: string, options: Partial<Parameters<typeof putTogether>[1]>) {
    const bytes = Buffer.concat([putTogether(halves[0], FIRST), putTogether(halves[1], { ...SECOND, ...options })]);
    const { sensor, playlist, segments, health, timeline, time } = await recorded(server, folder, bytes);

    expect(sensor.hlsProps?.durationSeconds).toBeCloseTo(9.23, 1);
    expect(playlist.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(playlist).toContain('#EXT-X-BYTERANGE');
    const pictures = segments.map(picturesIn);
    expect(sum(pictures)).toBe(277);
    expect(Math.min(...pictures)).toBeGreaterThan(0);
    expect(time).toHaveLength(277);
    expect(health.clock.trustworthy).toBe(true);
    expect(timeline.runs).toHaveLength(2);
    expect(timeline.endTime - timeline.startTime).toBeCloseTo(9.23e6, -5);
  }

  const plays = '%s plays whole, with its telemetry';
  itProbes.each([
    ['and goes on in time', {}],
    ['and whose tables move too', { shiftTicks: -400_000, pmtPid: 0x1200, programNumber: 3 }],
  ])(plays, playsComplete);
  itProbes.each([['and whose clock begins anew', { shiftTicks: -400_000 }]])(plays, { tags: 'long' }, playsComplete);

  itProbes('plays whole where its segments have to be cut too', async () => {
    const both = Buffer.concat([
      putTogether(halves[0], FIRST),
      putTogether(halves[1], { ...SECOND, shiftTicks: -400_000 }),
    ]);
    const junk = Buffer.concat([both.subarray(0, 188_000), Buffer.alloc(100, 0x55), both.subarray(188_000)]);
    const { playlist, segments } = await recorded(server, folder, junk);

    expect(playlist).not.toContain('#EXT-X-BYTERANGE');
    const pictures = segments.map(picturesIn);
    expect(sum(pictures)).toBe(277);
    expect(Math.min(...pictures)).toBeGreaterThan(0);
  });

  itProbes('says nothing of a jump where the clock goes on', async () => {
    const bytes = Buffer.concat([putTogether(halves[0], FIRST), putTogether(halves[1], SECOND)]);
    const { health } = await recorded(server, folder, bytes);

    expect(health.findings.map(({ text }) => text).join(' ')).not.toMatch(/jumps|not shown|left out/);
  });

  itProbes('is converted whole where it moves to a coding that browsers do not play', { tags: 'long' }, async () => {
    const first = putTogether(halves[0], FIRST);
    const other = join(folder, 'mpeg2.ts');
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25', '-t', '4'];
    const coding = ['-c:v', 'mpeg2video', '-g', '12', '-bf', '0', '-mpegts_start_pid', '0x400', '-f', 'mpegts', other];
    const made = spawnSync('/usr/bin/ffmpeg', ['-v', 'error', ...source, ...coding]);
    expect(made.stderr.toString()).toBe('');
    const seconds = halves[0].filter(({ isVideo }) => isVideo).length / 30;

    const { sensor, segments, playlist, timeline, failures } = await recorded(
      server,
      folder,
      Buffer.concat([first, await readFile(other)]),
    );

    expect(failures).toEqual([]);
    expect(sensor.hlsProps?.durationSeconds).toBeCloseTo(seconds + 4, 0);
    expect(playlist.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(timeline.runs).toHaveLength(2);
    expect(sum(segments.map(picturesIn))).toBe(halves[0].filter(({ isVideo }) => isVideo).length + 100);
  });
});
