import { getLookback, type Lookback, missionsEvent, revokedEvent } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';

/** Steps of a job come close together. */
const GATHER_MS = 1000;
const KEY = ['lookback'] as const;
/** The place may be in view now: answers are at most 5 s behind live. */
const LIVE_MS = 5000;
const LIVE_US = 20_000_000;

/** Whether the newest span ends so near to now that it may go on. */
export const isGrowing = (found: Lookback | undefined, nowUs: number): boolean =>
  found?.spans.some(({ to }) => Math.abs(nowUs - to) < LIVE_US) === true;

/** When a place was seen. Read again when missions changed; at once, without what stood there, when some were lost. */
export function useLookback({ lon, lat }: Point, limit: number) {
  const api = useApi();
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useServerEvent(missionsEvent, () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queries.invalidateQueries({ queryKey: KEY }), GATHER_MS);
  });
  useServerEvent(revokedEvent, ({ noun }) => {
    if (noun === 'missions') void queries.resetQueries({ queryKey: KEY });
  });
  const geometry = JSON.stringify({ type: 'Point', coordinates: [lon, lat] });
  return useQuery({
    queryKey: [...KEY, geometry, limit],
    queryFn: () => api.call(getLookback, { query: { geometry, limit: String(limit) } }),
    // What is recorded just now goes on.
    refetchInterval: ({ state }) => (isGrowing(state.data, Date.now() * 1000) ? LIVE_MS : false),
    // The list stays while more of it is read; another place begins with nothing.
    placeholderData: (before, query) => (query?.queryKey[1] === geometry ? keepPreviousData(before) : undefined),
  });
}
