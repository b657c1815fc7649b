import { PAGE_MAX } from '@osprey/contract';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type Api, type CallOptions, useApi } from './api.ts';

/** The first page is small so that it is soon there; the others are larger than a fast scroll. */
const FIRST_PAGE = 100;
/** Rows that are read ahead of the last one on screen. */
const AHEAD = 600;

/** One page as it is kept; `total` where it was asked for. */
export type Page<Row> = { rows: Row[]; next: string | null; total: number | null };

/** Parameters of every paged call besides its filter. */
export type PageQuery = { limit: string; after?: string; count?: '1' };

type Options<Row> = {
  queryKey: QueryKey;
  /** Makes the call with the filter and this page's part of the query. */
  read: (api: Api, page: PageQuery, options: CallOptions) => Promise<Row[]>;
  /** Interval at which a list without change events is read again, while its first rows are on screen. */
  everyMs?: number;
  /** False: nothing is read. */
  enabled?: boolean;
};

/** A sorted list, page after page as it is scrolled. A failed call leaves what was read before. */
export function usePages<Row>({ queryKey, read, everyMs, enabled = true }: Options<Row>) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey,
    enabled,
    queryFn: async ({ pageParam, signal }): Promise<Page<Row>> => {
      let headers: Headers | null = null as Headers | null;
      const page: PageQuery =
        pageParam === null ? { limit: String(FIRST_PAGE), count: '1' } : { limit: String(PAGE_MAX), after: pageParam };
      const rows = await read(api, page, {
        signal,
        onHeaders: (received) => {
          headers = received;
        },
      });
      const total = headers?.get('x-total-count') ?? null;
      return { rows, next: headers?.get('x-next-after') || null, total: total === null ? null : Number(total) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Another order or filter keeps the old rows on screen until the new ones are there.
    placeholderData: (before) => before,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);

  const shown = useRef(0);
  const readAhead = useCallback(() => {
    const isRequested = hasNextPage && !isFetchingNextPage && shown.current + AHEAD > rows.length;
    // Asked twice before the first of them shows here, it is one call.
    if (isRequested) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, rows.length]);
  useEffect(readAhead, [readAhead]);
  const onVisible = useCallback(
    (lastIndex: number) => {
      shown.current = lastIndex;
      readAhead();
    },
    [readAhead],
  );

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      // Rows that the user has scrolled to would move away.
      const isRead = shown.current < FIRST_PAGE && document.visibilityState === 'visible';
      if (isRead) void refetch({ cancelRefetch: false });
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, refetch]);

  // Counted with the first page; once all are read, they are as many as they are.
  const counted = data?.pages[0]?.total ?? null;
  return {
    rows,
    total: counted === null || hasNextPage ? counted : rows.length,
    loading: query.isPending || isFetchingNextPage,
    /** The rows on screen are those of the filter before. */
    stale: query.isPlaceholderData,
    error: query.error,
    refetch,
    onVisible,
  };
}

export type Pages<Row> = ReturnType<typeof usePages<Row>>;
