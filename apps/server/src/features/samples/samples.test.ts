import { simulateToFile } from '@osprey/simulator';
import { expect, it } from 'vitest';
import { recordingServer } from '../../../test/recordings.ts';
import { actorsById } from '../../base/access/actors.ts';
import { readConfig } from '../../base/config/config.ts';
import { missionChanges } from '../missions/changes.ts';
import { emptySensors, sampleNamed } from '../missions/samples.ts';
import { sampleFlights } from './flights.ts';
import { samples } from './samples.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, dependencies } = server;
const { storage, queue, events, nowUs, log } = dependencies;
const changes = missionChanges({ db, nowUs, systemHigh: 'TOP SECRET' });

let flown = 0;
const made = samples({
  db,
  storage,
  queue,
  ...events,
  nowUs,
  log,
  sampleNamed: (name) => sampleNamed(db, name),
  emptySensors: (missionId) => emptySensors(db, missionId),
  createSample: (actor, requested) => changes.create(actor, requested, { sample: true }),
  fly: async (options, path, signal) => {
    flown += 1;
    await simulateToFile(options, path, { signal });
  },
  flights: sampleFlights(1),
});

it('makes two missions with their ships, one of two cameras, that everybody in Demo sees Ready; once', async () => {
  expect((await actorsById(db, [server.userId('SA')])).size).toBe(1);

  made.make(server.userId('SA'));
  await made.settled();
  await server.work();
  made.make(server.userId('SA'));
  await made.settled();

  const { body } = await server
    .ask('guest')
    .get<{ name: string; sample: boolean; state: string; sensors: object[] }[]>('/api/missions/brief?sort=name');
  expect(body.map(({ name, sample, state, sensors }) => [name, sample, state, sensors.length])).toEqual([
    ['Sample-Coast-Patrol', true, 'Ready', 3],
    ['Sample-Ship-Survey', true, 'Ready', 2],
  ]);
  expect(body[0]).toMatchObject({ securityClassification: 'UNCLASSIFIED', marked: true, tags: ['sample'] });
  // It promises nothing that its reader may not do, such as removing it.
  const described = await server.db.selectFrom('missions').select('description').where('sample', '=', true).execute();
  expect(described).toEqual([{ description: 'A sample flight.' }, { description: 'A sample flight.' }]);
  const ships = await server.ask('guest').get<object[]>('/api/aistargets?limit=100');
  expect(ships.body.length).toBeGreaterThan(0);
  expect(flown).toBe(3);
});

it('flies for 60 s by default', () => {
  const flights = sampleFlights(readConfig({}).sampleSeconds);

  expect(flights.flatMap(({ sensors }) => sensors.map(({ options }) => options.seconds))).toEqual([60, 60, 60, 60, 60]);
});

it('does not bring back what was removed', async () => {
  const listed = await server.ask('SA').get<{ _id: string }[]>('/api/missions/brief');
  const removed = await server.ask('SA').delete<{ missions: string[] }>('/api/missions/samples');
  expect(removed.body.missions.toSorted()).toEqual(listed.body.map(({ _id }) => _id).toSorted());

  made.make(server.userId('SA'));
  await made.settled();

  expect((await server.ask('SA').get('/api/missions/brief')).body).toEqual([]);
  expect(flown).toBe(3);
});
