import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LastSeenTile, Lookback, Mission, SearchHit } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import type { MuxerUnit } from '@osprey/mpegts';
import { beforeAll, expect, it, vi } from 'vitest';
import { mux, picture } from '../../../../../packages/mpegts/test/streams.ts';
import { livePlatform } from '../../../test/live-viewers.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { LIVE_KEY } from '../../media/ingest/coverage.ts';
import { runReindexCommand } from '../../media/ingest/read-again.ts';
import type { RecordedFile, Recording } from '../../recorder-wire/protocol.ts';

const server = await recordingServer();
const recorder = await testRecorder(server.dataDir);
const { db, dependencies, groups } = server;
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

const TICKS = 90_000;
const PLACE = [10.5, 54.3] as const;
const SIDE = 0.004;
/** A whole minute, so that the stretches below meet in one and in two. */
const START_S = Math.floor(Date.now() / 60_000) * 60 - 600;

type Values = Record<string, number>;

/** A camera that looks at the place in even tens of seconds and 0.1 degrees east of it in odd ones. */
function cornersAt(second: number): Values {
  const lon = PLACE[0] + (isEven(second) ? 0 : 0.1);
  const lat = PLACE[1];
  const corners = { '82': lat + SIDE, '83': lon - SIDE, '84': lat + SIDE, '85': lon + SIDE };
  const lower = { '86': lat - SIDE, '87': lon + SIDE, '88': lat - SIDE, '89': lon - SIDE };
  return { '13': lat - 0.02, '14': lon, '15': 900, '23': lat, '24': lon, ...corners, ...lower };
}

/** A camera at 300 m that looks north over the horizon, rolled: from 10 km away in even tens of seconds, else from 25 km. */
function obliqueAt(second: number): Values {
  const lat = PLACE[1] - (isEven(second) ? 0.09 : 0.225);
  const angles = { '5': 0, '6': 0, '7': 0, '16': 60, '17': 36, '18': 0, '19': -5, '20': 30 };
  return { '13': lat, '14': PLACE[0], '15': 300, ...angles };
}

function squareAround(halfDeg: number, eastDeg = 0): [number, number][] {
  const signs = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const;
  return signs.map(([x, y]) => [PLACE[0] + eastDeg + x * halfDeg, PLACE[1] + y * halfDeg]);
}

const isEven = (second: number): boolean => Math.floor(second / 10) % 2 === 0;

type Camera = (second: number) => Values;

/** Each camera has a KLV stream, from PID 257 on. */
function filmed(fromSecond: number, seconds: number, cameras: readonly Camera[]): Buffer {
  const units: MuxerUnit[] = [];
  for (let i = 0; i < seconds * 2; i += 1) {
    const second = fromSecond + i / 2;
    const ptsTicks = TICKS + second * TICKS;
    units.push({ pid: 256, ptsTicks, keyframe: i % 2 === 0, bytes: picture(i % 2 === 0 ? 'idr' : 'other') });
    for (const [n, valuesAt] of cameras.entries()) {
      const klv = encodeSt0601({ '2': (START_S + second) * 1e6, ...valuesAt(second) });
      units.push({ pid: 257 + n, ptsTicks, bytes: klv });
    }
  }
  const klvStreams = cameras.map((_, n) => ({ pid: 257 + n, kind: 'klvSync' as const }));
  return Buffer.from(mux({ streams: [{ pid: 256, kind: 'h264' }, ...klvStreams] }, units));
}

async function begun(fields: Partial<RecordedFile> = {}) {
  const { platformId, sensorId: liveSensorId } = await livePlatform(server);
  recorder.source(platformId, liveSensorId);
  await expect.poll(() => server.coordination.mirror.source(liveSensorId)).not.toBeNull();
  const [missionId, sensorId] = [randomUUID(), randomUUID()];
  const startedUs = START_S * 1e6;
  const recording: Recording = {
    ...{ missionId, missionName: `m-${missionId}`, description: '', tags: [], classification: 1, marked: true },
    ...{ audience: 'groups', usergroups: [groups.G1], priority: 5, cause: 'manual', state: 'recording' },
    ...{ startedUs, endedUs: null, stopReason: null },
    platform: { platformId, name: 'KEA', type: 'Plane', color: '#22ccdd' },
    sensors: [
      {
        ...{ liveSensorId, sensorId, name: 'EO', description: '', type: 'video' },
        ...{ state: 'recording', files: [], error: null },
      },
    ],
  };
  recorder.put(recording);
  const { fileId } = recorder.file(missionId, liveSensorId, { startedUs, ...fields });
  const path = dependencies.storage.path(originalKey(sensorId, fileId));
  await mkdir(dirname(path), { recursive: true });
  const grow = (from: number, seconds: number, ...cameras: Camera[]) =>
    appendFile(path, filmed(from, seconds, cameras.length === 0 ? [cornersAt] : cameras));
  /** Ends with what was written, which is not ingested yet. */
  async function end(durationSeconds: number): Promise<void> {
    const { size: sizeBytes } = await stat(path);
    const running = recorder.recordings.get(missionId)!;
    const files = running.sensors[0]!.files.map((file) => ({ ...file, sizeBytes, durationSeconds }));
    recorder.put({ ...running, sensors: running.sensors.map((sensor) => ({ ...sensor, files })) });
    recorder.end(missionId, 'stream ended');
    await expect.poll(() => recorder.settled).toContain(missionId);
  }
  return { missionId, sensorId, path, grow, end };
}

const asked = `${PLACE[0] - 0.001},${PLACE[1] - 0.001},${PLACE[0] + 0.001},${PLACE[1] + 0.001}`;
const extendCoverage = async (who: 'SA' | 'U0' = 'SA') =>
  (await askAs(server, who).get<Lookback>(`/api/coverage/lookback?geometry=${asked}`)).body;
const secondsOf = ({ spans }: Lookback, sensorId: string): [number, number][] =>
  spans
    .filter((span) => span.sensorId === sensorId)
    .map(({ from, to }): [number, number] => [from / 1e6 - START_S, to / 1e6 - START_S])
    .reverse();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000, interval: 100 });

it('is in the answers while it is recorded, at most 5 s later than live, and as ingest has it at the end', async () => {
  const shape = { type: 'Point', coordinates: PLACE };
  await askAs(server, 'SA').post('/api/coverage/searches', { name: 'Area 12', shape });
  const { sensorId, path, grow, end } = await begun();
  await writeFile(path, '');
  await grow(0, 25);
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual([
    [0, 11],
    [20, 27],
  ]);
  const wroteMs = performance.now();
  await grow(25, 40);
  const until = (last: number): [number, number][] => [
    [0, 11],
    [20, 31],
    [40, 51],
    [60, last],
  ];
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual(until(67));
  expect(performance.now() - wroteMs).toBeLessThan(5000);
  const { body: hits } = await askAs(server, 'SA').get<SearchHit[]>('/api/coverage/hits');
  expect(hits).toMatchObject([{ search: 'Area 12', platform: 'KEA', sensorId, first: START_S * 1e6 }]);
  const growing = await extendCoverage();
  expect(growing.notIndexed.sensors.map((one) => one.sensorId)).not.toContain(sensorId);
  expect(secondsOf(await extendCoverage('U0'), sensorId)).toEqual([]);

  await end(65);
  await server.work();
  const row = await db.selectFrom('coverage_sensors').selectAll().where('sensor_id', '=', sensorId).executeTakeFirst();
  expect(row).toMatchObject({ live_read: null });
  expect(row?.index_key).not.toBe(LIVE_KEY);
  // The last view ends with the recording, which nothing knew before.
  expect(secondsOf(await extendCoverage(), sensorId)).toEqual(until(65));
});

it('lets the area of the missions list find what is recorded, at most 5 s later than live, and after its end', async () => {
  const { missionId, path, grow, end } = await begun();
  const listed = async (geometry: object | string, who: 'SA' | 'U0' = 'SA') => {
    const area = typeof geometry === 'string' ? geometry : JSON.stringify(geometry);
    const query = new URLSearchParams({ ids: missionId, limit: '1', count: '1', geometry: area });
    const { body, headers } = await askAs(server, who).get<Mission[]>(`/api/missions/brief?${query}`);
    expect(headers['x-total-count']).toBe(String(body.length));
    return body.map(({ _id }) => _id);
  };
  const boxAround = (lon: number, [wide, high]: [number, number]) =>
    [lon - wide, PLACE[1] - high, lon + wide, PLACE[1] + high].join(',');
  const small: [number, number] = [0.001, 0.001];
  const [here, there] = [boxAround(PLACE[0], small), boxAround(PLACE[0] + 0.1, small)];
  await writeFile(path, '');
  await grow(0, 10);
  await soon(() => listed(here)).toEqual([missionId]);
  expect(await listed(there)).toEqual([]);

  const wroteMs = performance.now();
  await grow(10, 10);
  await soon(() => listed(there)).toEqual([missionId]);
  expect(performance.now() - wroteMs).toBeLessThan(5000);
  expect(await listed(boxAround(PLACE[0] + 0.05, small))).toEqual([]);
  expect([await listed(here, 'U0'), await listed('-180,-90,180,90', 'U0')]).toEqual([[], []]);
  expect(await listed('-180,-90,180,90')).toEqual([missionId]);
  expect(await listed(boxAround(PLACE[0] + 40, [39, 10]))).toEqual([]);
  expect(await listed({ type: 'Polygon', coordinates: [squareAround(0.2), squareAround(0.01)] })).toEqual([missionId]);
  const twoHoles = [squareAround(0.2), squareAround(0.01), squareAround(0.01, 0.1)];
  expect(await listed({ type: 'Polygon', coordinates: twoHoles })).toEqual([]);

  await end(20);
  expect(await listed(here)).toEqual([missionId]);
  await server.work();
  expect([await listed(here), await listed(there), await listed(here, 'U0')]).toEqual([[missionId], [missionId], []]);
});

it('holds views of the horizon up to 20 km', async () => {
  const { sensorId, path, grow } = await begun();
  await writeFile(path, '');
  await grow(0, 25, obliqueAt);
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual([
    [0, 11],
    [20, 27],
  ]);
});

it('holds what the KLV stream sees that a user chose, as ingest will', async () => {
  const { sensorId, path, grow } = await begun({ klvPid: 258 });
  await writeFile(path, '');
  const [away, here] = [() => cornersAt(10), () => cornersAt(0)];
  await grow(0, 5, away, here);
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual([[0, 7]]);
});

it('is read from the beginning again after it was forgotten, and is not indexed meanwhile', async () => {
  const { sensorId, path, grow } = await begun();
  await writeFile(path, '');
  await grow(0, 5);
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual([[0, 7]]);
  await runReindexCommand({ ...dependencies, say: () => undefined }, ['coverage']);
  const forgotten = await extendCoverage();
  expect(forgotten.notIndexed.sensors.map((one) => one.sensorId)).toContain(sensorId);
  await grow(5, 3);
  await soon(async () => secondsOf(await extendCoverage(), sensorId)).toEqual([[0, 10]]);
  const [x, y] = [Math.floor(((PLACE[0] + 180) / 360) * 2 ** 11), mercatorRow(PLACE[1], 11)];
  const tile = () => askAs(server, 'SA').get<LastSeenTile>(`/api/coverage/last-seen?zoom=11&x=${x}&y=${y}`);
  // The tile is computed from the minutes once these are stored.
  await soon(async () => (await tile()).body.cells.length).toBeGreaterThan(0);
  expect((await tile()).headers['cache-control']).toBe('private, no-store');
});

const mercatorRow = (lat: number, zoom: number): number =>
  Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom);
