import { expect, it } from 'vitest';
import { addMission, addSensor } from './missions.ts';
import { testServer } from './server.ts';

it('Map, tags, ships, annotations, missions, sensors, bookmarks and platforms are read at the paths of the specification', async () => {
  const server = await testServer();
  const mission = await addMission(server.db, { name: 'COAST' });
  await addSensor(server.db, mission, { name: 'EO' });
  const read = async (path: string) => {
    const answer = await server.asUser('SA').inject({ method: 'GET', url: `/api/${path}` });
    expect(answer.statusCode, path).toBe(200);
    return answer.json() as unknown;
  };

  expect(await read('mapconfig')).toMatchObject({ layers: expect.any(Array) });
  expect(await read('tags')).toEqual([]);
  expect(await read('aistargets?mode=last&aisType=vessels')).toEqual([]);
  expect(await read('aistargets/trail/211000001')).toEqual({ mmsi: 211_000_001, mmsiText: '211000001', points: [] });
  expect(await read('annotations?bbox=20,30,30,40')).toEqual([]);
  expect(await read('missions/COAST')).toMatchObject({ _id: mission, name: 'COAST' });
  expect(await read('sensors?missionIdOrName=COAST&clips=true')).toMatchObject([{ name: 'EO', clips: [] }]);
  expect(await read('bookmarks?missionIdOrName=COAST')).toEqual([]);
  expect(await read('platforms')).toEqual([]);
});
