import type { SavedSearch, SearchHit } from '@osprey/contract';
import type { Sighting } from '@osprey/geo';
import { beforeEach, expect, it } from 'vitest';
import { addAnnotation, pointAt } from '../../../test/annotations.ts';
import { notedOf } from '../../../test/audit.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';
import type { SearchHitFound } from '../../base/ws/outgoing.ts';
import { addSightings, LIVE_KEY } from '../../media/ingest/coverage.ts';
import { featuresOfAnnotation } from '../annotations/repository.ts';
import { searchWatch } from './search-watch.ts';

const server = await testServer();
const { db, groups, userId } = server;
const SEARCHES = '/api/coverage/searches';
const HITS = '/api/coverage/hits';
const START = 29_000_040 * 60;
const PLACE = [10.5, 54.3] as const;
const AWAY = [12.5, 54.3] as const;
const harbour = { type: 'Circle', centre: PLACE, radiusM: 300 };

const notices: { user: string; hit: SearchHitFound }[] = [];
const watchOf = () =>
  searchWatch({
    db,
    auditWriter: server.http.auditWriter,
    featuresOf: (id) => featuresOfAnnotation(db, id),
    notify: (user, hit) => notices.push({ user, hit }),
    nowUs: () => Date.now() * 1000,
    log: { warn: (fields, text) => expect.unreachable(`${text}: ${fields}`) },
  });

beforeEach(async () => {
  notices.length = 0;
  await db.deleteFrom('saved_searches').execute();
  await db.updateTable('users').set({ clearance: 3, disabled: false }).where('id', '=', userId('U1')).execute();
});

/** A recording under way of label 3 for group G1, and what looks at places with it, a sighting each second. */
async function recording(fields: { classification?: number } = {}) {
  const missionId = await addMission(db, {
    ...{ state: 'Running', classification: 3, audience: 'groups', platform_name: 'PATROL-7', platform_type: 'Plane' },
    ...fields,
  });
  await db.insertInto('mission_usergroups').values({ mission_id: missionId, usergroup_id: groups.G1 }).execute();
  const sensorId = await addSensor(db, missionId, { state: 'Running' });
  await db.insertInto('coverage_sensors').values({ sensor_id: sensorId, index_key: LIVE_KEY, footprints: 0 }).execute();

  async function look(from: number, to: number, [lon, lat]: readonly [number, number], watch = watchOf()) {
    const sightings = Array.from(
      { length: to - from },
      (_, at): Sighting => ({
        timeUs: (START + from + at) * 1e6,
        corners: [
          [lon - 0.002, lat + 0.002],
          [lon + 0.002, lat + 0.002],
          [lon + 0.002, lat - 0.002],
          [lon - 0.002, lat - 0.002],
        ],
        platform: [lon, lat - 0.01, 900],
      }),
    );
    const { minutes } = await db.transaction().execute((tx) => addSightings(tx, sensorId, sightings));
    await watch.look({ sensorId, minutes, isLive: true });
  }
  return { missionId, sensorId, look };
}

const save = async (who: 'U1' | 'U0' | 'SA', name: string, more: object = {}) =>
  (await askAs(server, who).post<SavedSearch>(SEARCHES, { name, shape: harbour, ...more })).body;
const hitsOf = async (who: 'U1' | 'U0' | 'SA') => (await askAs(server, who).get<SearchHit[]>(HITS)).body;
const seconds = () => notices.map(({ hit }) => hit.first / 1e6 - START);

it('notifies once for each time that a place comes into sight, also over a restart, and notes the reading', async () => {
  await save('U1', 'Area 12');
  const { missionId, sensorId, look } = await recording();
  await look(0, 10, AWAY);
  expect(notices).toEqual([]);
  await look(10, 15, PLACE);
  const hit = { search: 'Area 12', platform: 'PATROL-7', missionId, sensorId, securityClassification: 'CONFIDENTIAL' };
  expect(notices).toMatchObject([{ user: userId('U1'), hit: { ...hit, now: true, first: (START + 10) * 1e6 } }]);
  expect(await notedOf(db, missionId)).toEqual([[userId('U1'), 'coverage.read', 3]]);

  // Each look here is one of another process, which knows nothing but the rows.
  await look(15, 40, PLACE);
  await look(40, 80, AWAY);
  await look(80, 90, PLACE);
  expect(seconds()).toEqual([10]);
  await look(90, 170, AWAY);
  await look(170, 175, PLACE);
  expect(seconds()).toEqual([10, 170]);

  expect(await hitsOf('U1')).toMatchObject([
    { ...hit, first: (START + 170) * 1e6, now: true, seen: false },
    { ...hit, first: (START + 10) * 1e6 },
  ]);
  await askAs(server, 'U1').post(`${HITS}/seen`, {});
  expect((await hitsOf('U1')).map(({ seen }) => seen)).toEqual([true, true]);
  await askAs(server, 'U1').delete(HITS);
  await look(175, 180, PLACE);
  expect([await hitsOf('U1'), seconds()]).toEqual([[], [10, 170]]);
});

it('notifies nobody who may not read the mission at that moment', async () => {
  const u1 = userId('U1');
  await save('U1', 'Area 12');
  await save('U0', 'Area 12');
  const { missionId, look } = await recording();
  await db.updateTable('users').set({ clearance: 2 }).where('id', '=', u1).execute();
  await look(0, 5, PLACE);
  await db.updateTable('users').set({ clearance: 3 }).where('id', '=', u1).execute();
  await db.deleteFrom('user_usergroups').where('user_id', '=', u1).where('usergroup_id', '=', groups.G1).execute();
  await look(5, 10, PLACE);
  await db.insertInto('user_usergroups').values({ user_id: u1, usergroup_id: groups.G1 }).execute();
  await db.updateTable('users').set({ disabled: true }).where('id', '=', u1).execute();
  await look(10, 15, PLACE);
  await db.updateTable('users').set({ disabled: false }).where('id', '=', u1).execute();
  await db.updateTable('missions').set({ classification: 4 }).where('id', '=', missionId).execute();
  await look(15, 20, PLACE);
  expect(notices).toEqual([]);

  await db.updateTable('missions').set({ classification: 3 }).where('id', '=', missionId).execute();
  await look(20, 25, PLACE);
  expect(notices.map(({ user }) => user)).toEqual([u1]);
  expect(await hitsOf('U1')).toHaveLength(1);
  // An earlier hit is hidden with the mission.
  await db.updateTable('users').set({ clearance: 2 }).where('id', '=', u1).execute();
  expect([await hitsOf('U1'), await hitsOf('U0')]).toEqual([[], []]);
});

it('goes by the filter, and by whether the owner wants to be notified', async () => {
  const off = await save('U1', 'Off', { notify: false });
  await save('U1', 'Other platform', { filter: { platforms: ['KEA'] } });
  await save('U1', 'Ten seconds', { filter: { seconds: 10 } });
  const { look } = await recording();
  await look(0, 6, PLACE);
  expect(notices).toEqual([]);
  await look(6, 12, PLACE);
  expect(notices.map(({ hit }) => hit.search)).toEqual(['Ten seconds']);
  const { body } = await askAs(server, 'U1').put<SavedSearch>(`${SEARCHES}/${off._id}`, { notify: true });
  expect(body).toEqual({ ...off, notify: true });
  await look(12, 14, PLACE);
  expect(notices.map(({ hit }) => hit.search)).toEqual(['Ten seconds', 'Off']);
});

it('follows an annotation as it is redrawn, as long as the owner may read it', async () => {
  const annotationId = await addAnnotation(db, {}, [], [pointAt(...AWAY)]);
  await save('U1', 'Wreck', { shape: { type: 'Annotation', id: annotationId } });
  const { look } = await recording();
  await look(0, 5, PLACE);
  expect(notices).toEqual([]);
  const features = JSON.stringify([pointAt(...PLACE)]);
  await db.updateTable('annotations').set({ features, classification: 5 }).where('id', '=', annotationId).execute();
  await look(5, 10, PLACE);
  expect(notices).toEqual([]);
  await db.updateTable('annotations').set({ classification: 1 }).where('id', '=', annotationId).execute();
  await look(10, 15, PLACE);
  expect(notices.map(({ hit }) => hit.search)).toEqual(['Wreck']);
});
