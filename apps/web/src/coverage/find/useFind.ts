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
/**
 * Maximum number of pages without enough spans that are read automatically, before the user is asked whether to
 * continue.
 */
const STEPS_MAX = 40;

export type Found = ReturnType<typeof useFind>;

/**
 * Returns the times when a shape was seen, newest first. If the server cuts a page short because of its time limit,
 * further pages are read automatically until there are enough spans for a full page. The results are read again when
 * missions change; if the user loses access to some, the old results are removed immediately.
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
    // A running recording grows, so the results are polled.
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

  // Counted only after the first page, so that the page need not wait, and only if there are more results than the
  // page.
  const { data: total } = useQuery({
    queryKey: [...KEY, 'count', shape, filter],
    enabled: shape !== null && data !== undefined && hasNextPage && !goesOn,
    queryFn: ({ signal }) => api.call(countByPlace, { body: { shape: shape!, filter } }, { signal }),
    retry: false,
  });

  return {
    spans,
    /** Total number of results; null until they have been counted. */
    total: total ?? null,
    unsure: pages[0]?.unsure ?? null,
    /** Time back to which everything has been searched; null: everything was searched, or nothing yet. */
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
