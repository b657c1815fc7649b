import { getMission, listMissions, type Mission, missionsEvent, revokedEvent } from '@osprey/contract';
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Api, useApi } from '../api/api.ts';
import { isCode } from '../api/transport-error.ts';
import { type Page, usePages } from '../api/usePages.ts';
import { useServerEvent } from '../events/events.ts';
import { missionQuery } from '../player/openQueries.ts';
import { type Filter, type SortKey, toQuery } from './filter.ts';

type Lists = InfiniteData<Page<Mission>, string | null>;

/** Up to this many changed missions are read one by one; more means reading the list again. */
const ONE_BY_ONE = 10;
const GATHER_MS = 250;

/** The missions that this user may see, page after page. */
export function useMissions(filter: Filter, sort: SortKey) {
  return usePages<Mission>({
    queryKey: ['missions', 'list', filter, sort],
    read: (api, page, options) => api.call(listMissions, { query: { ...toQuery(filter), sort, ...page } }, options),
  });
}

/** How many missions there are without any filter. */
export function useMissionCount(enabled: boolean): number | null {
  const api = useApi();
  const query = useQuery({
    queryKey: ['missions', 'count'],
    queryFn: async ({ signal }) => {
      let total: number | null = null;
      await api.call(
        listMissions,
        { query: { limit: '1', count: '1' as const } },
        {
          signal,
          onHeaders: (headers) => {
            total = Number(headers.get('x-total-count'));
          },
        },
      );
      return total;
    },
    enabled,
  });
  return query.data ?? null;
}

/** One mission by its id; `undefined` id reads nothing. */
export function useMission(id: string | null) {
  const api = useApi();
  const queries = useQueryClient();
  return useQuery({
    ...missionQuery(api, id ?? ''),
    enabled: id !== null,
    initialData: () => (id === null ? undefined : inLists(queries, id)),
    // What the list knew is shown at once and read again behind it.
    initialDataUpdatedAt: 0,
  });
}

const listKey = ['missions', 'list'] as const;

function inLists(queries: QueryClient, id: string): Mission | undefined {
  for (const [, pages] of queries.getQueriesData<Lists>({ queryKey: listKey })) {
    const found = pages?.pages.flatMap((page) => page.rows).find((mission) => mission._id === id);
    if (found) return found;
  }
  return undefined;
}

/** Changes rows where they lie; the function answers null for a row that goes. */
function mendRows(queries: QueryClient, mend: (mission: Mission) => Mission | null): void {
  queries.setQueriesData<Lists>({ queryKey: listKey }, (pages) => {
    if (!pages) return pages;
    return {
      ...pages,
      pages: pages.pages.map((page) => {
        const rows = page.rows.flatMap((mission) => mend(mission) ?? []);
        const gone = page.rows.length - rows.length;
        return { ...page, rows, total: page.total === null ? null : page.total - gone };
      }),
    };
  });
}

async function readChanged(api: Api, queries: QueryClient, ids: readonly string[]): Promise<void> {
  const known = ids.every((id) => inLists(queries, id));
  // A list that is being read would put what it read before the change over the mended rows.
  if (!known || ids.length > ONE_BY_ONE || queries.isFetching({ queryKey: listKey }) > 0) {
    await queries.invalidateQueries({ queryKey: listKey });
    return;
  }
  for (const id of ids) {
    try {
      const read = await api.call(getMission, { params: { mission: id } });
      mendRows(queries, (mission) => (mission._id === id ? read : mission));
    } catch (error) {
      if (isCode(error, 'notFound')) mendRows(queries, (mission) => (mission._id === id ? null : mission));
      else await queries.invalidateQueries({ queryKey: listKey });
    }
  }
}

/** Keeps the lists true while missions change elsewhere: rows are mended where they lie. */
export function useLiveMissions(onRevoked: (ids: readonly string[]) => void): void {
  const api = useApi();
  const queries = useQueryClient();
  const gathered = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  /** One after the other: an earlier answer must not come behind a later one. */
  const reading = useRef(Promise.resolve());
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);

  useServerEvent(missionsEvent, ({ ids }) => {
    for (const id of ids) gathered.current.add(id);
    // Steps of a job come close together.
    timer.current ??= setTimeout(() => {
      const changed = [...gathered.current];
      gathered.current.clear();
      timer.current = null;
      reading.current = reading.current.then(() => readChanged(api, queries, changed));
      void queries.invalidateQueries({ queryKey: ['missions', 'count'] });
    }, GATHER_MS);
  });
  useServerEvent(revokedEvent, ({ noun, ids }) => {
    if (noun !== 'missions') return;
    mendRows(queries, (mission) => (ids.includes(mission._id) ? null : mission));
    onRevoked(ids);
  });
}
