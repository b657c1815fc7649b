import { listSearchHits, type SearchHit } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill, plainText } from '../../base/format.ts';
import { texts } from './texts.ts';

export const HITS_KEY = ['lookback', 'hits'] as const;
/** A hit is in sight for so long after it was seen last. */
const IN_SIGHT_MS = 10_000;

/** Hits of the account, the newest first; read again while one of them is in sight. */
export function useSearchHits() {
  const api = useApi();
  return useQuery({
    queryKey: HITS_KEY,
    queryFn: ({ signal }) => api.call(listSearchHits, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ now }) => now) ? IN_SIGHT_MS : false),
  });
}

/** Writes the sentence of a hit: the platform, else the mission, sees the place of the search now, or saw it before. */
export const hitText = ({
  platform,
  mission,
  search,
  now,
}: Pick<SearchHit, 'platform' | 'mission' | 'search' | 'now'>) =>
  fill(now ? texts.now : texts.before, { who: plainText(platform || mission), search: plainText(search) });
