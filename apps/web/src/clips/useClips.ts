import { type Clip, changedEvents, listClips } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';

const none: readonly Clip[] = [];

/**
 * Returns the clips of a mission in order of time, updated when other users change them. `missionId` null: no mission
 * is open.
 */
export function useClips(missionId: string | null) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['clips', missionId],
    queryFn: ({ signal }) => api.call(listClips, { query: { missionIdOrName: missionId! } }, { signal }),
    enabled: missionId !== null,
  });
  useServerEvent(changedEvents.clip, ({ ids }) => {
    if (missionId !== null && ids.includes(missionId))
      void queries.invalidateQueries({ queryKey: ['clips', missionId] });
  });
  return { clips: query.data ?? none, loading: query.isPending, error: query.error, refetch: query.refetch };
}
