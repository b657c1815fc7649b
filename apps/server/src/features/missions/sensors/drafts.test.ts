import { expect, it } from 'vitest';
import { addMission, addSensor } from '../../../../test/missions.ts';
import { askAs } from '../../../../test/recordings.ts';
import { type Subject, testServer } from '../../../../test/server.ts';

const server = await testServer();
const { db, groups } = server;

it('of a mission are answered like sensors that never were, but to those who may fill them', async () => {
  const mission = await addMission(db, { audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id: mission, usergroup_id: groups.G1 }).execute();
  await addSensor(db, mission, { name: 'filled', state: 'Ready' });
  const draft = await addSensor(db, mission, { name: 'draft', position: 1 });
  const path = (who: Subject, sensor: string) => askAs(server, who).get(`/api/sensors/path/${mission}/${sensor}`);
  const view = (who: Subject, sensor: string) => askAs(server, who).post(`/api/sensors/${sensor}/view`);

  const [none, hidden, filled] = [await path('U1', 'none'), await path('U1', 'draft'), await path('U1', 'filled')];

  expect([hidden.status, hidden.body]).toEqual([none.status, none.body]);
  expect([none.status, filled.status, (await path('GA', 'draft')).status]).toEqual([404, 200, 200]);
  expect([(await view('U1', draft)).status, (await view('GA', draft)).status]).toEqual([404, 200]);
});
