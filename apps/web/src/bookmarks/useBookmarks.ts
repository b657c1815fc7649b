import { type Bookmark, changedEvents, listBookmarks } from '@osprey/contract';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';

/**
 * Delay in milliseconds of the next read after a change (specification 2, section 4: 200 to 500 ms). Further changes
 * within this time share the same read.
 */
const REFRESH_MS = 250;

const none: readonly Bookmark[] = [];
const keyOf = (missionId: string) => ['bookmarks', missionId] as const;

/**
 * Returns the bookmarks of a mission in order of time, updated when other users change them. `missionId` null: no
 * mission is open.
 */
export function useBookmarks(missionId: string | null) {
  const api = useApi();
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const query = useQuery({
    queryKey: keyOf(missionId ?? ''),
    queryFn: ({ signal }) => api.call(listBookmarks, { query: { missionIdOrName: missionId! } }, { signal }),
    enabled: missionId !== null,
  });
  const refresh = useCallback(() => {
    if (missionId === null) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void queries.invalidateQueries({ queryKey: keyOf(missionId) });
    }, REFRESH_MS);
  }, [queries, missionId]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  useServerEvent(changedEvents.bookmark, ({ ids }) => {
    if (missionId !== null && ids.includes(missionId)) refresh();
  });
  return {
    bookmarks: query.data ?? none,
    loading: query.isPending && missionId !== null,
    error: query.error,
    refetch: query.refetch,
  };
}

/** Applies a change to the cached list immediately, before the list is read again. */
export function showAtOnce(
  queries: QueryClient,
  missionId: string,
  change: (before: readonly Bookmark[]) => readonly Bookmark[],
): void {
  queries.setQueryData<readonly Bookmark[]>(keyOf(missionId), (before) => before && byTime(change(before)));
}

const byTime = (bookmarks: readonly Bookmark[]): Bookmark[] => [...bookmarks].sort((a, b) => a.time - b.time);
