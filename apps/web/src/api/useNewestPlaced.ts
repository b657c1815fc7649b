import { listMissions, type Mission } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** Number of missions that are examined; some of the newest may have no position. */
const INSPECTED_MISSIONS = '20';

/**
 * Returns the newest mission with a position on the map that the user can see; null if there is none, or while it is
 * not known.
 */
export function useNewestPlaced(enabled = true): Mission | null {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['missions', 'newest'],
    queryFn: async ({ signal }) => {
      const newest = await api.call(
        listMissions,
        { query: { sort: '-startTime', limit: INSPECTED_MISSIONS } },
        { signal },
      );
      return newest.find(({ place, startTime }) => place !== null && startTime !== null) ?? null;
    },
    enabled,
  });
  return data ?? null;
}
