import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mission } from '@osprey/contract';
import { destination, distanceM, type Position, toPosition } from '@osprey/geo';
import { encodeSt0601 } from '@osprey/klv';
import type { MuxerUnit } from '@osprey/mpegts';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { mux, picture } from '../../../../../packages/mpegts/test/streams.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { numbers } from '../../../test/numbers.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import { liveCoverage } from './live-coverage.ts';

const server = await recordingServer();
const { db, dependencies } = server;

const TICKS = 90_000;
const START_S = Math.floor(Date.now() / 60_000) * 60 - 600;
/** On the antimeridian. */
const MIDDLE: Position = [180, -17];
const SECONDS = 240;
const MODES = ['sensorArea', 'frameCenter', 'platformPath'];
/** Lines may leave out 10 m, outlines a row of the ground; a file may be shown up to a half second less. */
const BORDER_M = 60;

const at = ([lon, lat]: Position, bearing: number, metres: number): Position =>
  toPosition(destination({ lon, lat }, bearing, metres));

/**
 * An aircraft that orbits the middle at 3 km, two times in all, and looks at ground that lies 1 km inside of its way. From 100 s on
 * it reports its own position alone, and from 130 s to 150 s nothing.
 */
function setAt(second: number): Record<string, number> | null {
  if (second >= 130 && second < 150) return null;
  const bearing = (second / SECONDS) * 720;
  const [platform, centre] = [at(MIDDLE, bearing, 3000), at(MIDDLE, bearing, 2000)];
  const own = { '13': platform[1], '14': platform[0], '15': 900 };
  if (second >= 100 && second < 130) return own;
  const corners = [315, 45, 135, 225].flatMap((turn, corner) => {
    const [lon, lat] = at(centre, turn + bearing, 180);
    return [
      [82 + corner * 2, lat],
      [83 + corner * 2, lon],
    ];
  });
  return { ...own, '23': centre[1], '24': centre[0], ...Object.fromEntries(corners) };
}

function recorded(): Buffer {
  const units: MuxerUnit[] = [];
  for (let half = 0; half < SECONDS * 2; half += 1) {
    const ptsTicks = TICKS + (half * TICKS) / 2;
    units.push({ pid: 256, ptsTicks, keyframe: half % 2 === 0, bytes: picture(half % 2 === 0 ? 'idr' : 'other') });
    const values = setAt(half / 2);
    if (values === null) continue;
    units.push({ pid: 257, ptsTicks, bytes: encodeSt0601({ '2': (START_S + half / 2) * 1e6, ...values }) });
  }
  const streams = [
    { pid: 256, kind: 'h264' as const },
    { pid: 257, kind: 'klvSync' as const },
  ];
  return Buffer.from(mux({ streams }, units));
}

/** A mission that is being recorded, whose file begins empty, and the reader of its ground, which can be restarted. */
async function recording() {
  const missionId = await addMission(db, { state: 'Running' });
  const sensorId = await addSensor(db, missionId, { state: 'Running' });
  const fileId = randomUUID();
  const path = dependencies.storage.path(originalKey(sensorId, fileId));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  const file = { fileId, startedUs: START_S * 1e6 };
  const sensor = { sensorId, type: 'video', files: [file] } as unknown as RecordedSensor;
  const [onGrew, onPlaced] = [vi.fn(), vi.fn()];
  const start = () =>
    liveCoverage({
      ...{ db, storage: dependencies.storage, onGrew, onPlaced, nowMs: () => performance.now() },
      mirror: { recordings: () => [{ sensors: [sensor] } as unknown as Recording], segments: () => [] },
      onSighted: async () => undefined,
      log: { warn: (fields) => expect(fields).toBe(null) },
    });
  let reader = start();
  /** The first restart is that of a version which kept no pieces. */
  let meanwhile = async () => {
    await db.deleteFrom('mission_shapes').where('mission_id', '=', missionId).execute();
    await db.updateTable('coverage_sensors').set({ live_last: null }).where('sensor_id', '=', sensorId).execute();
  };
  async function isRead(): Promise<void> {
    const { size } = await stat(path);
    const read = sql<number>`(live_read ->> ${fileId})::int`.as('read');
    const query = db.selectFrom('coverage_sensors').select(read).where('sensor_id', '=', sensorId);
    const packets = size - (size % 188);
    await expect.poll(async () => (await query.executeTakeFirst())?.read, { timeout: 15_000 }).toBe(packets);
  }
  async function restart(): Promise<void> {
    await reader.close();
    await meanwhile();
    meanwhile = async () => undefined;
    reader = start();
  }
  return { missionId, sensorId, path, onGrew, onPlaced, isRead, restart, end: () => reader.close() };
}

const shapesOf = (missionId: string) =>
  db.selectFrom('mission_shapes').selectAll().where('mission_id', '=', missionId).execute();

/** Kilometres of all lines of the platform. */
async function kilometres(missionId: string): Promise<number> {
  const lines = (await shapesOf(missionId)).filter(({ aoi_mode }) => aoi_mode === 'platformPath');
  let metres = 0;
  for (const { shape } of lines) {
    const points = [...shape.matchAll(/\(([-\d.e]+),([-\d.e]+)\)/g)].map(([, lon, lat]) => [Number(lon), Number(lat)]);
    for (const [index, [lon, lat]] of points.slice(1).entries()) {
      const [lonBefore, latBefore] = points[index]!;
      metres += distanceM({ lon: lonBefore!, lat: latBefore! }, { lon: lon!, lat: lat! });
    }
  }
  return metres / 1000;
}

it('answers the geo filter in each mode while it records, over restarts too, as it does after ingest', async () => {
  const bytes = recorded();
  const live = await recording();
  // Restarts come in the middle of a packet and of a set, within a piece and within the pause.
  const cuts = [0.13, 0.347, 0.57].map((share) => Math.floor(bytes.length * share));
  for (const [index, to] of [...cuts, bytes.length].entries()) {
    await appendFile(live.path, bytes.subarray(cuts[index - 1] ?? 0, to));
    await live.isRead();
    await live.restart();
  }
  await live.end();
  expect(live.onGrew.mock.calls).toContainEqual([live.missionId]);
  expect(live.onPlaced.mock.calls).toEqual([[live.missionId]]);
  const placed = await askAs(server, 'SA').get<Mission>(`/api/missions/${live.missionId}`);
  expect(placed.body.place?.[1]).toBeCloseTo(at(MIDDLE, 0, 2000)[1], 4);

  const file = join(server.dataDir, 'recorded.ts');
  await writeFile(file, bytes);
  const { mission } = await server.record({ name: 'Ingested' }, [{ path: file }]);
  const ids = [live.missionId, mission._id];
  const pieces = new Set((await shapesOf(live.missionId)).map(({ piece }) => piece));
  expect([...pieces].toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: pieces.size }, (_, piece) => piece));
  expect(new Set((await shapesOf(mission._id)).map(({ piece }) => piece))).toEqual(new Set([null]));
  expect(await kilometres(live.missionId)).toBeCloseTo(await kilometres(mission._id), 0);

  const listed = async (aoiMode: string, middle: Position, metres: number) => {
    const corners = [45, 225].map((bearing) => at(middle, bearing, metres * Math.SQRT2));
    const [[east, north], [west, south]] = corners as [Position, Position];
    const query = new URLSearchParams({ ids: ids.join(','), aoiMode, geometry: `${west},${south},${east},${north}` });
    const { body } = await askAs(server, 'SA').get<Mission[]>(`/api/missions/brief?${query}`);
    return new Set(body.map(({ _id }) => _id));
  };
  const random = numbers(7);
  let [found, apart] = [0, 0];
  for (let box = 0; box < 150; box += 1) {
    const mode = MODES[box % MODES.length]!;
    const [middle, metres] = [at(MIDDLE, random() * 360, 1500 + random() * 2000), 10 * 10 ** (random() * 2)];
    const now = await listed(mode, middle, metres);
    if (now.size > 0) found += 1;
    if (now.size !== 1) continue;
    apart += 1;
    expect((await listed(mode, middle, metres + BORDER_M)).size, `${mode} ${middle} ${metres}`).toBe(2);
  }
  expect(found).toBeGreaterThan(30);
  expect(apart).toBeLessThan(found / 5);
  // The way goes around the middle, and never comes there.
  for (const mode of MODES) expect(await listed(mode, MIDDLE, 500), mode).toEqual(new Set());
});
