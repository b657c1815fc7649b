import { listMissions, type Mission } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { usePages } from '../api/usePages.ts';
import { missionQuery } from '../player/open-queries.ts';
import { countMissions } from './count.ts';
import { type Filter, type SortKey, toQuery } from './filter.ts';
import { inLists, missionListKey } from './lists.ts';

/** Loads the missions that this user may see, page by page. */
export function useMissions(filter: Filter, sort: SortKey) {
  return usePages<Mission>({
    queryKey: missionListKey(filter, sort),
    read: (api, page, options) => api.call(listMissions, { query: { ...toQuery(filter), sort, ...page } }, options),
  });
}

/** Returns the number of missions without any filter. */
export function useMissionCount(enabled: boolean): number | null {
  const api = useApi();
  const query = useQuery({
    queryKey: ['missions', 'count'],
    queryFn: ({ signal }) => countMissions(api, {}, { signal }),
    enabled,
  });
  return query.data ?? null;
}

/** Loads one mission by its id; null loads nothing. */
export function useMission(id: string | null) {
  const api = useApi();
  const queries = useQueryClient();
  return useQuery({
    ...missionQuery(api, id ?? ''),
    enabled: id !== null,
    initialData: () => (id === null ? undefined : inLists(queries, id)),
    // The row from a list is shown immediately and then loaded again.
    initialDataUpdatedAt: 0,
  });
}
