import { PAGE_MAX } from '@osprey/contract';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type Api, type CallOptions, useApi } from './api.ts';

/**
 * Size of the first page, which is small so that it arrives soon. The other pages are larger, so that fast scrolling
 * does not overtake them.
 */
const FIRST_PAGE = 100;
/** Number of rows that are read ahead of the last one on screen. */
const AHEAD = 600;

/** One cached page; `total` is null if the total was not requested with it. */
export type Page<Row> = { rows: Row[]; next: string | null; total: number | null };

/** Parameters of every paged call, in addition to its filter. */
export type PageQuery = { limit: string; after?: string; count?: '1' };

type Options<Row> = {
  queryKey: QueryKey;
  /** Makes the call with the filter and the parameters of this page. */
  read: (api: Api, page: PageQuery, options: CallOptions) => Promise<Row[]>;
  /**
   * Interval in milliseconds at which a list without change events is read again, while its first rows are on screen.
   */
  everyMs?: number;
  /** False: nothing is read. Default: true. */
  enabled?: boolean;
};

/** Reads a sorted list page by page as the user scrolls. If a call fails, the rows read before are kept. */
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
    // When the order or the filter changes, the old rows stay on screen until the new ones arrive.
    placeholderData: (before) => before,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);

  const shown = useRef(0);
  const readAhead = useCallback(() => {
    const isRequested = hasNextPage && !isFetchingNextPage && shown.current + AHEAD > rows.length;
    // If this is called twice before the first request is visible here, only one request is made.
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
      // Not read again if the user has scrolled down, since the rows on screen would move.
      const isRead = shown.current < FIRST_PAGE && document.visibilityState === 'visible';
      if (isRead) void refetch({ cancelRefetch: false });
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, refetch]);

  // The total is counted with the first page. Once all pages have been read, the number of rows is used instead.
  const counted = data?.pages[0]?.total ?? null;
  return {
    rows,
    total: counted === null || hasNextPage ? counted : rows.length,
    loading: query.isPending || isFetchingNextPage,
    /** True if the rows on screen are still those of the previous filter or order. */
    stale: query.isPlaceholderData,
    error: query.error,
    refetch,
    onVisible,
  };
}

export type Pages<Row> = ReturnType<typeof usePages<Row>>;
