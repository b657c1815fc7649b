import { listMissions, type Mission } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** Missions that are looked at: some of the newest may have no position. */
const LOOKED_AT = '20';

/** Of the missions that we can see the last to begin that has a place on the map; null where there is none or while unknown. */
export function useNewestPlaced(enabled = true): Mission | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['missions', 'newest'],
    queryFn: async ({ signal }) => {
      const newest = await api.call(listMissions, { query: { sort: '-startTime', limit: LOOKED_AT } }, { signal });
      return newest.find(({ place, startTime }) => place !== null && startTime !== null) ?? null;
    },
    enabled,
  });
  return data ?? null;
}
