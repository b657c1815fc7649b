import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KlvHealth, SensorTimeline, TelemetryPage } from '@osprey/contract';
import { encodeSt0601, packets } from '@osprey/klv';
import { afterAll, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { type KlvFlight, klvFlight } from '../../../test/klv-flight.ts';
import { recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');
const folder = await mkdtemp(join(tmpdir(), 'osprey-health-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;

async function recorded(flight: KlvFlight, onTheWay = (bytes: Buffer) => bytes) {
  const name = crypto.randomUUID();
  const path = join(folder, `${name}.ts`);
  await writeFile(path, onTheWay(klvFlight(flight)));
  const { mission } = await server.record({ name }, [{ path }]);
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  const ask = async <T>(what: string) => (await get<T>(`/api/sensors/${what}/${place}`)).body;
  return { mission, ask, health: await ask<KlvHealth>('klv-health'), timeline: await ask<SensorTimeline>('timeline') };
}

/** One set for each picture, for this number of seconds. */
const everyPicture = (seconds: number, setAt: (n: number) => Parameters<typeof encodeSt0601>[0], lateSeconds = 0) =>
  Array.from({ length: seconds * 10 }, (_none, n) => ({
    atSeconds: n / 10,
    lateSeconds,
    bytes: encodeSt0601(setAt(n)),
  }));

const texts = ({ findings }: KlvHealth) => findings.map(({ severity, text }) => `${severity}: ${text}`);

it('shows which expected items are missing from how many sets, and the first, last, least and most of each', async () => {
  const speeds = [30, 10, 50, 20];
  const sets = everyPicture(2, (n) => ({
    '2': START_US + n * 100_000,
    '3': 'KEA',
    '5': 100,
    ...(n % 5 === 0 ? {} : { '6': 1 }),
    '8': speeds[n % speeds.length]!,
    '13': 37.5,
    '14': 24.5,
    '65': 17,
  }));

  const { health } = await recorded({ seconds: 2, sets });

  expect(health).toMatchObject({ sets: 20, checksum: { good: 20, bad: 0, missing: 0 }, ratePerSecond: 10 });
  expect(health.missing.map(({ tag, absentFrom }) => [tag, absentFrom])).toEqual([
    [6, 4],
    ...[7, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 48].map((tag) => [tag, 20]),
  ]);
  const names = health.missing.slice(0, 5).map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['Platform Pitch Angle', 'Platform Roll Angle']);
  expect(texts(health)).toContain(`warning: Items missing from some sets: ${names.join(', ')} and 12 more.`);
  expect(health.tags.find(({ tag }) => tag === 8)).toEqual({
    tag: 8,
    name: 'Platform True Airspeed',
    unit: 'm/s',
    sets: 20,
    first: 30,
    last: 20,
    min: 10,
    max: 50,
  });
  expect(health.latencyMs).toEqual({ median: 0, p95: 0, max: 0 });
});

it.each([
  [1, 'One set repeats the time stamp of the set before.', 'One gap: packets of the stream are missing.'],
  [2, '2 sets repeat the time stamp of the set before.', '2 gaps: packets of the stream are missing.'],
])('counts %i fault of a kind in words that fit', async (count, repeated, missing) => {
  const sets = everyPicture(3, (n) => ({ '2': START_US + (n > 5 && n <= 5 + count ? 5 : n) * 100_000, '65': 17 }));
  const lose = (bytes: Buffer) => {
    const packets = Array.from({ length: bytes.length / 188 }, (_none, n) => bytes.subarray(n * 188, (n + 1) * 188));
    const isOfVideo = (packet: Buffer) => (packet.readUInt16BE(1) & 0x1fff) === 256 && (packet[3]! & 0x10) !== 0;
    const ofVideo = packets.flatMap((packet, n) => (isOfVideo(packet) ? [n] : []));
    const lost = [ofVideo[10], ofVideo[20]].slice(0, count);
    return Buffer.concat(packets.filter((_packet, n) => !lost.includes(n)));
  };

  const { health } = await recorded({ seconds: 3, sets }, lose);

  expect(texts(health)).toEqual(expect.arrayContaining([`warning: ${repeated}`, `warning: ${missing}`]));
});

it('shows how late metadata come after the pictures that they belong to', async () => {
  const sets = everyPicture(3, (n) => ({ '2': START_US + n * 100_000, '65': 17 }), 0.8);

  const { health } = await recorded({ seconds: 3, sets });

  expect(health.latencyMs).toEqual({ median: 800, p95: 800, max: 800 });
  expect(texts(health)).toContain('warning: Metadata arrive up to 800 ms after their pictures.');
});

it('shows how much of a recording has no telemetry, and where', async () => {
  const sets = everyPicture(5, (n) => ({ '2': START_US + n * 100_000, '65': 17 }));

  const { mission, health } = await recorded({ seconds: 12, sets });

  const text = 'There is no telemetry for 7.1 s of 12.0 s: from 4.9 s to 12.0 s.';
  expect(texts(health)).toContain(`warning: ${text}`);
  expect(mission.sensors[0]!.klv?.state).toBe('warning');
});

it('shows holes within the telemetry', async () => {
  const isSent = (n: number) => (n < 20 || n >= 80) && (n < 100 || n >= 170);
  const sets = everyPicture(20, (n) => ({ '2': START_US + n * 100_000, '65': 17 })).filter((_set, n) => isSent(n));

  const { mission, health } = await recorded({ seconds: 20, sets });

  const text = 'Telemetry is missing 2 times, for 13.2 s in all.';
  expect(texts(health)).toContain(`warning: ${text}`);
  expect(health.clock.gaps).toEqual([
    { time: START_US + 8e6, seconds: 6.1 },
    { time: START_US + 17e6, seconds: 7.1 },
  ]);
  expect(mission.sensors[0]!.klv?.state).toBe('warning');
});

it('says nothing of pauses where telemetry comes seldom, or begins a moment late', async () => {
  const slow = [0, 4, 8].map((atSeconds) => ({
    atSeconds,
    bytes: encodeSt0601({ '2': START_US + atSeconds * 1e6, '65': 17 }),
  }));

  const { health } = await recorded({ seconds: 12, sets: slow });

  expect(texts(health).join()).not.toContain('There is no telemetry');
});

async function showsOtherTimes(side: string, late: number, amount: string): Promise<void> {
  const sets = everyPicture(12, (n) => ({ '2': START_US + n * 100_000, '65': 17 }), late);

  const { health } = await recorded({ seconds: 12, sets });

  expect(health.findings[0]).toEqual({
    severity: 'error',
    text: expect.stringMatching(
      `metadata and video do not belong together in time: .* are ${amount} ${side} than those of the pictures`,
    ),
  });
  expect(texts(health).join()).not.toMatch(/Metadata arrive|There is no telemetry/);
}

const ofOtherTimes = 'tells of metadata whose times are %s than those of the pictures by no delay (%d s)';
it.each([
  ['earlier', 3600, 'about 1 h 0 min 0 s'],
  ['later', -8, 'more than 5.0 s'],
])(ofOtherTimes, showsOtherTimes);
it.each([['later', -3600, 'about 1 h 0 min 0 s']])(ofOtherTimes, { tags: 'long' }, showsOtherTimes);

it('reads milliseconds in the field of microseconds as such, and says so', async () => {
  const sets = everyPicture(2, (n) => ({ '2': START_US / 1000 + n * 100, '13': 37.5, '14': 24.5, '65': 17 }));

  const { health, timeline, ask } = await recorded({ seconds: 2, sets });

  expect(timeline).toMatchObject({ timeSource: 'klv', startTime: START_US });
  expect(timeline.endTime - START_US).toBeCloseTo(2e6, -5);
  const { time } = await ask<TelemetryPage>('telemetry');
  expect(time).toEqual(sets.map((_set, n) => START_US + n * 100_000));
  expect(health.clock).toMatchObject({ trustworthy: true, millisecondsByMistake: 20 });
  expect(texts(health)).toContain('warning: 20 time stamps are milliseconds by mistake; they are read as such.');
});

/** The packets of a file of bad/klv, one a second. */
function setsOf(name: string): KlvFlight['sets'] {
  const bytes = readFileSync(testData(`bad/klv/${name}`));
  return [...packets(bytes, 0, bytes.length)].map(({ start, end }, second) => ({
    atSeconds: second,
    bytes: bytes.subarray(start, end),
  }));
}

itWithData('bad/klv/positions_odd.klv draws no way across the whole map', async () => {
  const { mission, ask } = await recorded({ seconds: 6, sets: setsOf('positions_odd.klv') });

  const { geometry } = await ask<{ geometry: { coordinates: number[][][] } }>('path');

  expect(mission.state).toBe('Ready');
  expect((await ask<TelemetryPage>('telemetry')).tags['13']).toHaveLength(6);
  expect(geometry.coordinates.length).toBeGreaterThan(0);
  for (const line of geometry.coordinates) {
    for (const [index, [lon = 0]] of line.slice(1).entries()) {
      expect(Math.abs(lon - line[index]![0]!), JSON.stringify(line)).toBeLessThanOrEqual(180);
    }
  }
});

itWithData('bad/klv/time_backwards.klv is reported, and its stray sets are dated by the video', async () => {
  const { mission, ask, health, timeline } = await recorded({ seconds: 6, sets: setsOf('time_backwards.klv') });

  expect(mission.state).toBe('Ready');
  expect(health.clock).toMatchObject({ trustworthy: true, backwards: 2, gaps: [] });
  expect(health.clock.wrong).toMatchObject([{ sets: 2, bySeconds: -4 }]);
  expect(texts(health).join()).toContain('the time stamps go back 2 times, first by 1.0 s.');
  expect(timeline.timeSource).toBe('klv');
  expect(timeline.endTime - timeline.startTime).toBeCloseTo(6e6, -5);
  const { time } = await ask<TelemetryPage>('telemetry');
  expect(time).toEqual([0, 1, 2, 3, 4, 5].map((second) => timeline.startTime + second * 1e6));
});
