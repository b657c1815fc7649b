// @vitest-environment jsdom
import type { Mission } from '@osprey/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, missionOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { type Filter, noFilter, type SortKey } from './filter.ts';
import { useLiveMissions } from './useLiveMissions.ts';
import { useMissions } from './useMissions.ts';

afterEach(cleanup);
afterEach(() => vi.restoreAllMocks());

const filter = { ...noFilter, tags: ['sea'] };
const ignore = () => undefined;

function List({ sort, by }: { sort: SortKey; by: Filter }) {
  useLiveMissions(ignore);
  const { rows, total } = useMissions(by, sort);
  return (
    <>
      <p role="status">{total}</p>
      <ol>
        {rows.map(({ _id, name, views }) => (
          <li key={_id}>{`${name} ${views}`}</li>
        ))}
      </ol>
    </>
  );
}

type Query = Record<string, string>;

/** The second page, so long that no third one is read ahead. */
const AHEAD = Array.from({ length: 700 }, () => missionOf({ name: 'ahead', creationTime: 5, views: 5 }));

/** A server with one page of `listed` rows, of `total`; `visible` is what the filter leaves when it is asked by ids. */
async function listing(
  listed: Mission[],
  { total = listed.length, sort = '-creationTime' as SortKey, by = filter as Filter } = {},
) {
  const visible = new Map<string, Mission>();
  let all = total;
  const fake = fakeApi({
    'GET /missions/brief': ({ query = {} }) => {
      if (query.ids) return query.ids.split(',').flatMap((id) => visible.get(id) ?? []);
      const further = { ...(total > listed.length && { 'x-next-after': 'further' }) };
      return query.after
        ? new WithHeaders(AHEAD, further)
        : new WithHeaders(listed, { 'x-total-count': String(all), ...further });
    },
  });
  const { bus } = show(<List sort={sort} by={by} />, { api: fake.api });
  await waitFor(() => expect(document.querySelectorAll('li').length).toBeGreaterThanOrEqual(Math.min(total, 600)));
  const questions = () => fake.inputsOf('GET /missions/brief').map(({ query }: { query: Query }) => query);
  return {
    notify: (...missions: Mission[]) => act(() => bus.emit('missions', { ids: missions.map(({ _id }) => _id) })),
    grow: (...missions: Mission[]) => act(() => bus.emit('ground', { ids: missions.map(({ _id }) => _id) })),
    become: (mission: Mission) => visible.set(mission._id, mission),
    count: (next: number) => {
      all = next;
    },
    /** How often rows were read without ids, from the first page on. */
    readings: () => questions().filter(({ ids, limit, after }) => !ids && !after && limit !== '1').length,
    byIds: () => questions().filter(({ ids }) => ids),
  };
}

const shown = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent).slice(0, 4);
const named = (name: string, fields: Partial<Mission> = {}) => missionOf({ name, ...fields });

it('asks for a changed mission alone, with the filter, and replaces its row in place', async () => {
  const [a, b] = [named('a', { creationTime: 9 }), named('b', { creationTime: 8 })];
  const server = await listing([a, b]);
  server.become({ ...b, views: 7 });

  server.notify(b);

  await waitFor(() => expect(shown()).toEqual(['a 1', 'b 7']));
  expect(server.readings()).toBe(1);
  expect(server.byIds()).toEqual([{ tags: 'sea', sort: '-creationTime', ids: b._id, limit: '1' }]);
});

it('puts a new mission in its place, and reads no page again', async () => {
  const [a, c] = [named('a', { creationTime: 9 }), named('c', { creationTime: 7 })];
  const b = named('b', { creationTime: 8 });
  const server = await listing([a, c], { total: 5000 });
  server.become(b);

  server.notify(b);

  await waitFor(() => expect(shown()).toEqual(['a 1', 'b 1', 'c 1', 'ahead 5']));
  expect(screen.getByRole('status').textContent).toBe('5001');
  expect(server.readings()).toBe(1);
});

it('leaves a mission beyond the pages that were read to scrolling, and corrects the number of all', async () => {
  const a = named('a', { views: 9 });
  const far = named('far', { views: 2 });
  const server = await listing([a], { total: 5000, sort: '-views' });
  server.become(far);
  server.count(5001);

  server.notify(far);

  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('5001'));
  expect(screen.queryByText('far 2')).toBeNull();
  expect(server.readings()).toBe(1);
});

it('ignores a mission that the filter hides, and drops one that it hides by now', async () => {
  const [a, b] = [named('a'), named('b')];
  const hidden = named('hidden');
  const server = await listing([a, b]);
  server.become(a);
  server.count(1);

  server.notify(hidden, b, a);

  await waitFor(() => expect(shown()).toEqual(['a 1']));
  expect(screen.getByRole('status').textContent).toBe('1');
  expect(server.readings()).toBe(1);
});

it('puts missions without a value last in either direction', async () => {
  const [late, none] = [named('late', { startTime: 9 }), named('none', { startTime: null })];
  const server = await listing([late, none], { sort: '-startTime' });
  const [early, draft] = [named('early', { startTime: 1 }), named('draft', { startTime: null })];
  server.become(early);
  server.become(draft);

  server.notify(early, draft);

  await waitFor(() => expect(shown()).toEqual(['late 1', 'early 1', 'none 1', 'draft 1']));
});

it('asks at most every few seconds for missions that see new ground, where the list is of an area and lacks them', async () => {
  const [a, far] = [named('a', { creationTime: 9 }), named('far', { creationTime: 8 })];
  const area: Filter['area'] = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ],
    ],
  }; // prettier-ignore
  const server = await listing([a], { by: { ...noFilter, area, aoiMode: 'platformPath' } });
  server.become(a);

  for (let second = 0; second < 3; second += 1) server.grow(a, far);
  await waitFor(() => expect(server.byIds()).toHaveLength(1), { timeout: 5000 });
  const aoi = { geometry: JSON.stringify(area), aoiMode: 'platformPath' };
  expect(server.byIds()).toEqual([{ ...aoi, sort: '-creationTime', ids: far._id, limit: '1' }]);
  expect(screen.getByRole('status').textContent).toBe('1');

  server.become(far);
  server.grow(far);
  await waitFor(() => expect(shown()).toEqual(['a 1', 'far 1']), { timeout: 5000 });
  expect(screen.getByRole('status').textContent).toBe('2');
  server.grow(a, far);
  server.notify(a);
  await waitFor(() => expect(server.byIds()).toHaveLength(3));
  expect(server.readings()).toBe(1);
});

it('asks nothing where missions see new ground and no area is chosen', async () => {
  const server = await listing([named('a')]);
  const timers = vi.spyOn(globalThis, 'setTimeout');

  server.grow(named('far'));

  expect(timers.mock.calls.map(([, ms]) => ms)).not.toContain(3000);
});
