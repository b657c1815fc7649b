import { type FoundSpan, type FoundSpans, findByPlace, missionsEvent, revokedEvent } from '@osprey/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useApi } from '../../api/api.ts';
import { useServerEvent } from '../../events/events.ts';
import type { Question } from './find-link.ts';

/** Steps of a job come close together. */
const GATHER_MS = 1000;
const KEY = ['lookback', 'find'] as const;
const PAGE = 50;
/** Pages without enough spans that are asked for one after another, before the user is asked whether to go on. */
const STEPS_MAX = 40;

export type Found = ReturnType<typeof useFind>;

/**
 * When a shape was seen, the newest first. Pages that were stopped for time go on by themselves until there is a page full of
 * spans. Read again when missions changed; at once, without what stood there, when some were lost.
 */
export function useFind({ shape, filter }: Question) {
  const api = useApi();
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useServerEvent(missionsEvent, () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queries.invalidateQueries({ queryKey: KEY }), GATHER_MS);
  });
  useServerEvent(revokedEvent, ({ noun }) => {
    if (noun === 'missions' || noun === 'annotations') void queries.resetQueries({ queryKey: KEY });
  });
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
    retry: false,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error } = query;
  const spans = useMemo((): FoundSpan[] => data?.pages.flatMap((page) => page.spans) ?? [], [data]);
  const wanted = useRef(PAGE);
  const pages = data?.pages ?? [];
  const isShort = spans.length < wanted.current && pages.length < STEPS_MAX * (wanted.current / PAGE);
  const goesOn = hasNextPage && isShort && error === null;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [goesOn, isFetchingNextPage, fetchNextPage]);
  const key = JSON.stringify([shape, filter]);
  useEffect(() => {
    void key;
    wanted.current = PAGE;
  }, [key]);

  return {
    spans,
    unsure: pages[0]?.unsure ?? null,
    /** How far back everything was searched; null: all of it, or nothing yet. */
    searchedTo: pages.at(-1)?.searchedTo ?? null,
    isSearching: shape !== null && error === null && (query.isPending || isFetchingNextPage || goesOn),
    isWhole: data !== undefined && !hasNextPage,
    error,
    refetch: query.refetch,
    readOn() {
      wanted.current = spans.length + PAGE;
      void fetchNextPage({ cancelRefetch: false });
    },
  };
}
