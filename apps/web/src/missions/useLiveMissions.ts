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

/** Maximum number of changed missions that are requested by id; if there are more, the whole list is reloaded. */
const BY_IDS = 100;
const COLLECT_MS = 250;
/**
 * Minimum interval between updates of lists filtered by area, in milliseconds, since the seen area of recording
 * missions grows all the time.
 */
const RECORDING_REFRESH_MS = 3000;

/**
 * Keeps the loaded lists up to date while missions change elsewhere: replaces changed rows and inserts new ones at
 * their position.
 *
 * @param onRevoked called with the missions that are no longer accessible; `all`: there are too many to be listed
 */
export function useLiveMissions(onRevoked: (ids: readonly string[], all: boolean) => void): void {
  const api = useApi();
  const queries = useQueryClient();
  /** Chain of requests, which run one after the other so that an older answer cannot overwrite a newer one. */
  const reading = useRef(Promise.resolve());
  // The steps of a job produce several events shortly after each other, which are handled together.
  const gatherChanged = useGathered(COLLECT_MS, (ids) => {
    reading.current = reading.current.then(() => readChanged(api, queries, ids));
    void queries.invalidateQueries({ queryKey: ['missions', 'count'] });
  });
  const gatherGrown = useGathered(RECORDING_REFRESH_MS, (ids) => {
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

/** Collects ids for `waitMs` after the first one, then passes on all of them together. */
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
  // Lists that are not shown are only marked stale, and reloaded when they are shown.
  void queries.invalidateQueries({ queryKey: LISTS_KEY, type: 'inactive', refetchType: 'none' });
  if (ids.length > BY_IDS) return queries.invalidateQueries({ queryKey: LISTS_KEY });
  // A list that is being loaded could overwrite the updated rows with data from before the change.
  await untilRead(queries);
  for (const queryKey of listsIn(queries, 'active')) await mendList(api, queries, { queryKey, ids });
}

/**
 * Updates lists filtered by area, into which missions may have come. Missions never leave such lists, since their seen
 * area only grows.
 */
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

/**
 * Asks the server which of the missions belong to one list and updates it. Its pages are not reloaded, which could be
 * thousands of rows.
 */
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
  // It is unknown whether the remaining missions were counted before, so the total is read again.
  if (settled < (mayOnlyCome ? read.length : ids.length)) await readTotal(api, queries, queryKey);
}

async function readTotal(api: Api, queries: QueryClient, queryKey: ListKey): Promise<void> {
  const total = await countMissions(api, toQuery(queryKey[2])).catch(() => null);
  if (total === null) return;
  queries.setQueryData<MissionPages>(queryKey, (pages) => pages && setTotal(pages, total));
}

/** Resolves when no list is being loaded. */
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
