import { listSearchHits, type SearchHit } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill, plainText } from '../../base/format.ts';
import { texts } from './texts.ts';

export const HITS_KEY = ['lookback', 'hits'] as const;
/** Time in milliseconds after the last sighting for which a hit counts as currently in view. */
const IN_SIGHT_MS = 10_000;

/** Reads the hits of the account, newest first, and reads them again while one of them is currently in view. */
export function useSearchHits() {
  const api = useApi();
  return useQuery({
    queryKey: HITS_KEY,
    queryFn: ({ signal }) => api.call(listSearchHits, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ now }) => now) ? IN_SIGHT_MS : false),
  });
}

/**
 * Returns the sentence for a hit: the platform (or else the mission) sees the place of the search now, or saw it
 * earlier.
 */
export const hitText = ({
  platform,
  mission,
  search,
  now,
}: Pick<SearchHit, 'platform' | 'mission' | 'search' | 'now'>) =>
  fill(now ? texts.now : texts.before, { who: plainText(platform || mission), search: plainText(search) });
