import { groundEvent, listMissions, type Mission, missionsEvent, revokedEvent } from '@osprey/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Api, useApi } from '../api/api.ts';
import { countRows, mendRows, setTotal } from '../api/pages.ts';
import { useServerEvent } from '../events/events.ts';
import { countMissions } from './count.ts';
import { toQuery } from './filter.ts';
import { insertRow, LISTS_KEY, type MissionPages, type missionListKey } from './lists.ts';

type ListKey = ReturnType<typeof missionListKey>;

/** Up to this many changed missions are asked for by their ids; more means reading the list again. */
const BY_IDS = 100;
const GATHER_MS = 250;
/** Missions that record see new ground all the time: lists of an area are asked for at most this often. */
const GREW_MS = 3000;

/**
 * Keeps the lists true while missions change elsewhere: rows are replaced in place, new ones put in their place.
 *
 * @param onRevoked called with the lost missions; `all`: too many to be named
 */
export function useLiveMissions(onRevoked: (ids: readonly string[], all: boolean) => void): void {
  const api = useApi();
  const queries = useQueryClient();
  /** Requests run in turn, so that an earlier answer cannot come after a later one. */
  const reading = useRef(Promise.resolve());
  // Steps of a job come close together.
  const gatherChanged = useGathered(GATHER_MS, (ids) => {
    reading.current = reading.current.then(() => readChanged(api, queries, ids));
    void queries.invalidateQueries({ queryKey: ['missions', 'count'] });
  });
  const gatherGrown = useGathered(GREW_MS, (ids) => {
    reading.current = reading.current.then(() => readGrown(api, queries, ids));
  });

  useServerEvent(missionsEvent, ({ ids }) => gatherChanged(ids));
  useServerEvent(groundEvent, ({ ids }) => {
    if (listsOfAreas(queries, 'active').length > 0) gatherGrown(ids);
    for (const queryKey of listsOfAreas(queries, 'inactive')) {
      void queries.invalidateQueries({ queryKey, refetchType: 'none' });
    }
  });
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    if (noun === 'missions') onRevoked(ids, all === true);
  });
}

/** Gathers ids for some time from the first one on, then hands on all of them. */
function useGathered(waitMs: number, handOn: (ids: string[]) => void): (ids: readonly string[]) => void {
  const gathered = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return (ids) => {
    for (const id of ids) gathered.current.add(id);
    timer.current ??= setTimeout(() => {
      const all = [...gathered.current];
      gathered.current.clear();
      timer.current = null;
      handOn(all);
    }, waitMs);
  };
}

const listsIn = (queries: QueryClient, type: 'active' | 'inactive'): ListKey[] =>
  queries
    .getQueryCache()
    .findAll({ queryKey: LISTS_KEY, type })
    .map(({ queryKey }) => queryKey as unknown as ListKey);

const listsOfAreas = (queries: QueryClient, type: 'active' | 'inactive'): ListKey[] =>
  listsIn(queries, type).filter(([, , { area }]) => area !== null);

async function readChanged(api: Api, queries: QueryClient, ids: readonly string[]): Promise<void> {
  // Hidden lists are read when they are shown.
  void queries.invalidateQueries({ queryKey: LISTS_KEY, type: 'inactive', refetchType: 'none' });
  if (ids.length > BY_IDS) return queries.invalidateQueries({ queryKey: LISTS_KEY });
  // A list that is being read would put what it read before the change over the mended rows.
  await untilRead(queries);
  for (const queryKey of listsIn(queries, 'active')) await mendList(api, queries, { queryKey, ids });
}

/** Lists of an area may have got missions. None leaves them, since what was seen only grows. */
async function readGrown(api: Api, queries: QueryClient, ids: readonly string[]): Promise<void> {
  await untilRead(queries);
  for (const queryKey of listsOfAreas(queries, 'active')) {
    const pages = queries.getQueryData<MissionPages>(queryKey)?.pages ?? [];
    const listed = new Set(pages.flatMap(({ rows }) => rows.map(({ _id }) => _id)));
    const others = ids.filter((id) => !listed.has(id)).slice(0, BY_IDS);
    if (others.length > 0) await mendList(api, queries, { queryKey, ids: others, mayOnlyCome: true });
  }
}

type Mending = { queryKey: ListKey; ids: readonly string[]; mayOnlyCome?: true };

/** Asks which of the missions belong to one list. Its other pages are not read again: that would be thousands of rows. */
async function mendList(api: Api, queries: QueryClient, { queryKey, ids, mayOnlyCome }: Mending): Promise<void> {
  const [, , filter, sort] = queryKey;
  const query = { ...toQuery(filter), sort, ids: ids.join(','), limit: String(ids.length) };
  const read = await api.call(listMissions, { query }).catch((): Mission[] | null => null);
  if (read === null) return queries.invalidateQueries({ queryKey });
  const now = new Map(read.map((mission) => [mission._id, mission]));
  let settled = 0;
  queries.setQueryData<MissionPages>(queryKey, (pages) => {
    if (!pages) return pages;
    const existing = new Set<string>();
    const mended = mendRows(pages, (mission) => {
      if (!ids.includes(mission._id)) return mission;
      existing.add(mission._id);
      return now.get(mission._id) ?? null;
    });
    const fresh = read.filter(({ _id }) => !existing.has(_id));
    const full = fresh.reduce((list, mission) => insertRow(list, mission, sort), mended);
    settled = existing.size + countRows(full) - countRows(mended);
    return full;
  });
  // Whether the others were counted before is not known here.
  if (settled < (mayOnlyCome ? read.length : ids.length)) await readTotal(api, queries, queryKey);
}

async function readTotal(api: Api, queries: QueryClient, queryKey: ListKey): Promise<void> {
  const total = await countMissions(api, toQuery(queryKey[2])).catch(() => null);
  if (total === null) return;
  queries.setQueryData<MissionPages>(queryKey, (pages) => pages && setTotal(pages, total));
}

/** Ends when no list is being read. */
function untilRead(queries: QueryClient): Promise<void> {
  const isReading = () => queries.isFetching({ queryKey: LISTS_KEY }) > 0;
  if (!isReading()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = queries.getQueryCache().subscribe(() => {
      if (isReading()) return;
      unsubscribe();
      resolve();
    });
  });
}
