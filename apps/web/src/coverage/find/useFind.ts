import { countByPlace, type FoundSpan, type FoundSpans, findByPlace } from '@osprey/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api.ts';
import { isGrowing, LIVE_MS } from '../useLookback.ts';
import { useReadAgain } from '../useReadAgain.ts';
import type { Question } from './find-link.ts';

const KEY = ['lookback', 'find'] as const;
const NOUNS = ['missions', 'annotations'];
const PAGE = 50;
/** Pages without enough spans that are asked for one after another, before the user is asked whether to go on. */
const STEPS_MAX = 40;

export type Found = ReturnType<typeof useFind>;

/**
 * Returns the times when a shape was seen, the newest first. Pages that were stopped for time go on by themselves until
 * there is a page full of spans. Read again when missions changed; at once, without what stood there, when some were
 * lost.
 */
export function useFind({ shape, filter }: Question) {
  const api = useApi();
  useReadAgain(KEY, NOUNS);
  const query = useInfiniteQuery({
    queryKey: [...KEY, shape, filter],
    enabled: shape !== null,
    queryFn: ({ pageParam, signal }): Promise<FoundSpans> =>
      api.call(
        findByPlace,
        { body: { shape: shape!, filter, limit: PAGE, ...(pageParam !== null && { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // A running recording goes on.
    refetchInterval: ({ state }) => (isGrowing(state.data?.pages[0], Date.now() * 1000) ? LIVE_MS : false),
    retry: false,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error } = query;
  const spans = useMemo((): FoundSpan[] => data?.pages.flatMap((page) => page.spans) ?? [], [data]);
  const requested = useRef(PAGE);
  const pages = data?.pages ?? [];
  const isShort = spans.length < requested.current && pages.length < STEPS_MAX * (requested.current / PAGE);
  const goesOn = hasNextPage && isShort && error === null;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [goesOn, isFetchingNextPage, fetchNextPage]);
  const key = JSON.stringify([shape, filter]);
  useEffect(() => {
    void key;
    requested.current = PAGE;
  }, [key]);

  // After the page, so that it does not wait: and only where there is more than the page.
  const { data: total } = useQuery({
    queryKey: [...KEY, 'count', shape, filter],
    enabled: shape !== null && data !== undefined && hasNextPage && !goesOn,
    queryFn: ({ signal }) => api.call(countByPlace, { body: { shape: shape!, filter } }, { signal }),
    retry: false,
  });

  return {
    spans,
    /** How many there are; null until they are counted. */
    total: total ?? null,
    unsure: pages[0]?.unsure ?? null,
    /** How far back everything was searched; null: all of it, or nothing yet. */
    searchedTo: pages.at(-1)?.searchedTo ?? null,
    isSearching: shape !== null && error === null && (query.isPending || isFetchingNextPage || goesOn),
    isComplete: data !== undefined && !hasNextPage,
    error,
    refetch: query.refetch,
    readOn() {
      requested.current = spans.length + PAGE;
      void fetchNextPage({ cancelRefetch: false });
    },
  };
}
