import { getLookback, type Lookback } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { useReadAgain } from './useReadAgain.ts';

const KEY = ['lookback'] as const;
const NOUNS = ['missions'];
/** The place may be in view now: answers are at most 5 s later than live. */
export const LIVE_MS = 5000;
const LIVE_US = 20_000_000;

/** Returns whether the newest span ends so near to now that it may go on. */
export const isGrowing = (found: Pick<Lookback, 'spans'> | undefined, nowUs: number): boolean =>
  found?.spans.some(({ to }) => Math.abs(nowUs - to) < LIVE_US) === true;

/**
 * Returns the times when a place was seen. Read again when missions changed; at once, without the earlier answer, when
 * some were lost.
 */
export function useLookback({ lon, lat }: Point, limit: number) {
  const api = useApi();
  const geometry = JSON.stringify({ type: 'Point', coordinates: [lon, lat] });
  useReadAgain([...KEY, geometry], NOUNS);
  return useQuery({
    queryKey: [...KEY, geometry, limit],
    queryFn: () => api.call(getLookback, { query: { geometry, limit: String(limit) } }),
    // A running recording goes on.
    refetchInterval: ({ state }) => (isGrowing(state.data, Date.now() * 1000) ? LIVE_MS : false),
    // The list stays while more of it is read; another place begins with nothing.
    placeholderData: (before, query) => (query?.queryKey[1] === geometry ? keepPreviousData(before) : undefined),
  });
}
