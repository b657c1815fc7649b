import { SAVED_SEARCHES_MAX, type SavedSearch } from '@osprey/contract';
import { expect, it } from 'vitest';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';

const server = await testServer();
const [mine, other] = [askAs(server, 'SA'), askAs(server, 'U0')];
const PATH = '/api/coverage/searches';
const shape = { type: 'Circle' as const, centre: [24.3, 37.7], radiusM: 500 };

it('keeps searches for their maker alone, by name, with shape and filter', async () => {
  const made = await mine.post<SavedSearch>(PATH, { name: ' Harbour ', shape, filter: { days: 30, sensor: 'EO' } });
  expect(made.status).toBe(200);
  expect(made.body).toMatchObject({ name: 'Harbour', shape, filter: { days: 30, sensor: 'EO' } });
  await mine.post(PATH, { name: 'Anchorage', shape });
  const listed = (await mine.get<SavedSearch[]>(PATH)).body;
  expect(listed.map(({ name }) => name)).toEqual(['Anchorage', 'Harbour']);
  expect(listed[1]).toEqual(made.body);

  const own = `${PATH}/${made.body._id}`;
  expect((await other.get(PATH)).body).toEqual([]);
  expect((await other.put(own, { name: 'Taken' })).status).toBe(404);
  expect((await other.delete(own)).status).toBe(404);

  const changed = await mine.put<SavedSearch>(own, { name: 'Port', filter: {} });
  expect(changed.body).toEqual({ ...made.body, name: 'Port', filter: {} });
  expect((await mine.get<SavedSearch[]>(PATH)).body[1]).toEqual(changed.body);
  expect((await mine.put(own, { name: 'Anchorage' })).status).toBe(422);
  expect((await mine.delete(own)).status).toBe(200);
  expect((await mine.delete(own)).status).toBe(404);
});

it('takes a name once and fifty at most, also when they come together', async () => {
  await server.db.deleteFrom('saved_searches').execute();
  const answers = await Promise.all(
    Array.from({ length: SAVED_SEARCHES_MAX + 5 }, (_, at) => other.post(PATH, { name: `search ${at}`, shape })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(SAVED_SEARCHES_MAX);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  expect((await other.get<unknown[]>(PATH)).body).toHaveLength(SAVED_SEARCHES_MAX);
  expect((await mine.post(PATH, { name: 'search 1', shape })).status).toBe(200);
  expect((await mine.post(PATH, { name: 'search 1', shape })).status).toBe(422);
});

it('refuses what is no search', async () => {
  for (const body of [
    { name: '', shape },
    { name: 'x'.repeat(65), shape },
    { name: 'a\0b', shape },
    { name: 'x' },
    { name: 'x', shape: { type: 'Point', coordinates: [0, 91] } },
    { name: 'x', shape, filter: { days: -1 } },
    { name: 'x', shape, more: 1 },
  ]) {
    expect((await mine.post(PATH, body)).status, JSON.stringify(body)).toBe(400);
  }
});
