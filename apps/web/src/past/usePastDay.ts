import { aisEvent, listHeard, listRecordings, missionsEvent, platformsEvent, revokedEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { useServerEvent } from '../events/events.ts';
import { DAY_US } from './usePastServices.ts';

/** Interval at which a day that is not over is loaded again, in milliseconds. */
const TODAY_MS = 30_000;

/** Returns the times at which receivers were on during a day, and what was recorded. */
export function usePastDay(dayUs: number) {
  const api = useApi();
  const queries = useQueryClient();
  const hasShips = useSession().info?.useAis === true;
  const query = { start: String(dayUs), end: String(dayUs + DAY_US) };
  const isToday = Date.now() * 1000 < dayUs + DAY_US;
  const heard = useQuery({
    queryKey: ['ais', 'heard', dayUs],
    enabled: hasShips,
    refetchInterval: isToday ? TODAY_MS : false,
    queryFn: ({ signal }) => api.call(listHeard, { query }, { signal }),
  });
  const recorded = useQuery({
    queryKey: ['recordings', dayUs],
    queryFn: ({ signal }) => api.call(listRecordings, { query }, { signal }),
  });
  useServerEvent(missionsEvent, () => {
    void queries.invalidateQueries({ queryKey: ['recordings'] });
    void queries.invalidateQueries({ queryKey: ['ais', 'heard'] });
  });
  useServerEvent(platformsEvent, () => void queries.invalidateQueries({ queryKey: ['ais', 'heard'] }));
  useServerEvent(aisEvent, () => isToday && heard.data?.receivers.length === 0 && void heard.refetch());
  useServerEvent(revokedEvent, () => {
    void queries.resetQueries({ queryKey: ['recordings'] });
    void queries.resetQueries({ queryKey: ['ais', 'heard'] });
  });
  useShownLabels([heard, recorded].map(({ data }) => data?.securityClassification ?? 'UNCLASSIFIED'));
  return {
    receivers: heard.data?.receivers ?? [],
    recordings: recorded.data?.recordings ?? [],
    more: heard.data?.more === true || recorded.data?.more === true,
    reading: recorded.isPending || (hasShips && heard.isPending),
    error: heard.error ?? recorded.error,
    again: () => {
      if (heard.error) void heard.refetch();
      if (recorded.error) void recorded.refetch();
    },
    hasShips,
  };
}
