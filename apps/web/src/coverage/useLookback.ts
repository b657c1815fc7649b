import { getLookback, type Lookback } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { useReadAgain } from './useReadAgain.ts';

const KEY = ['lookback'] as const;
const NOUNS = ['missions'];
/**
 * Interval in milliseconds at which results are read again, since the place may be in view at present: results may be
 * at most 5 s behind live.
 */
export const LIVE_MS = 5000;
const LIVE_US = 20_000_000;

/** Whether the newest span ends so close to the present that it may still be growing. */
export const isGrowing = (found: Pick<Lookback, 'spans'> | undefined, nowUs: number): boolean =>
  found?.spans.some(({ to }) => Math.abs(nowUs - to) < LIVE_US) === true;

/**
 * Returns the times when a place was seen. They are read again when missions change; if the user loses access to some,
 * the old result is removed immediately.
 */
export function useLookback({ lon, lat }: Point, limit: number) {
  const api = useApi();
  const geometry = JSON.stringify({ type: 'Point', coordinates: [lon, lat] });
  useReadAgain([...KEY, geometry], NOUNS);
  return useQuery({
    queryKey: [...KEY, geometry, limit],
    queryFn: () => api.call(getLookback, { query: { geometry, limit: String(limit) } }),
    // A running recording grows, so the results are polled.
    refetchInterval: ({ state }) => (isGrowing(state.data, Date.now() * 1000) ? LIVE_MS : false),
    // The list stays on screen while more of it is read; for a different place it starts empty.
    placeholderData: (before, query) => (query?.queryKey[1] === geometry ? keepPreviousData(before) : undefined),
  });
}
