import type { PastFrame, PastRecordings } from '@osprey/contract';
import { type Sighting, unpackSightings } from '@osprey/geo';
import { beforeAll, expect } from 'vitest';
import { itWithData as it, testData } from '../../../../../tools/test-support/test-data.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';

const server = await recordingServer();
const { db } = server;
const own = { missionId: '', sensorId: '' };
let sightings: Sighting[] = [];

const ask = <T>(who: Subject, path: string) => askAs(server, who).get<T>(`/api/coverage/${path}`);
const framesAt = async (timeUs: number, who: Subject = 'U0') =>
  (await ask<{ frames: PastFrame[] }>(who, `frames?time=${timeUs}`)).body.frames;
const label = (classification: number) =>
  db.updateTable('missions').set({ classification }).where('id', '=', own.missionId).execute();

beforeAll(async () => {
  const { mission } = await server.record({ name: 'Past' }, [{ path: testData('ts/osh/sample-stream.ts') }]);
  Object.assign(own, { missionId: mission._id, sensorId: mission.sensors[0]!._id });
  const rows = await db.selectFrom('coverage_minutes').selectAll().orderBy('minute').execute();
  sightings = rows.flatMap(({ footprints }) => unpackSightings(footprints)).sort((a, b) => a.timeUs - b.timeUs);
});

it('says where each sensor looked at a moment, by its last sighting, and nowhere after the recording', async () => {
  const at = sightings[sightings.length >> 1]!;
  const [frame, ...others] = await framesAt(at.timeUs);
  expect(others).toEqual([]);
  expect(frame).toMatchObject({ ...own, mission: 'Past', time: at.timeUs, corners: at.corners });
  expect(frame!.platform).toEqual(at.platform?.slice(0, 2) ?? null);
  const recorded = db.selectFrom('sensors').select('end_time').where('id', '=', own.sensorId);
  const endUs = (await recorded.executeTakeFirstOrThrow()).end_time!;
  expect(await framesAt(endUs - 1000)).toHaveLength(1);
  expect(await framesAt(endUs + 1000)).toEqual([]);
  expect(await framesAt(sightings[0]!.timeUs - 1)).toEqual([]);
});

it('lists recordings of a time, and moves with the sensor', async () => {
  const { timeUs } = sightings[0]!;
  const listed = async (from: number) =>
    (await ask<PastRecordings>('U0', `recordings?start=${from}&end=${from + 3_600_000_000}`)).body.recordings;
  expect(await listed(timeUs)).toMatchObject([{ ...own, mission: 'Past' }]);
  expect(await listed(timeUs + 7_200_000_000)).toEqual([]);
  const shift = (us: number) => askAs(server, 'SA').post(`/api/sensors/${own.sensorId}/shift`, { shift: us });
  await shift(7_200_000_000);
  expect(await listed(timeUs + 7_200_000_000)).toHaveLength(1);
  expect((await framesAt(timeUs + 7_200_000_000))[0]).toMatchObject({ time: timeUs + 7_200_000_000 });
  expect(await framesAt(timeUs)).toEqual([]);
  await shift(0);
  expect((await ask('U0', `recordings?start=${timeUs}&end=${timeUs + 30 * 86_400e6}`)).status).toBe(400);
});

it('tells nothing of hidden missions, and audits a reading above UNCLASSIFIED once a minute', async () => {
  const { timeUs } = sightings[0]!;
  await label(3);
  expect(await framesAt(timeUs)).toEqual([]);
  const { body } = await ask<PastRecordings>('U0', `recordings?start=${timeUs}&end=${timeUs + 1}`);
  expect(body).toEqual({ recordings: [], more: false, securityClassification: 'UNCLASSIFIED' });
  expect(await framesAt(timeUs, 'SA')).toHaveLength(1);
  expect(await framesAt(timeUs, 'SA')).toHaveLength(1);
  const rows = await db.selectFrom('audit').select('action').where('item_id', '=', own.missionId).execute();
  expect(rows.filter(({ action }) => action === 'coverage.read')).toHaveLength(1);
  await label(1);
});
