import type { Mission } from '@osprey/contract';
import type { QueryClient } from '@tanstack/react-query';
import { moveTotal, type RowPages } from '../api/pages.ts';
import type { Filter, SortKey } from './filter.ts';
import { isBefore } from './order.ts';

export type MissionPages = RowPages<Mission>;
type ListKey = readonly ['missions', 'list', Filter, SortKey];

/** Common prefix of the query keys of all mission lists. */
export const LISTS_KEY = ['missions', 'list'] as const;

export const missionListKey = (filter: Filter, sort: SortKey): ListKey => [...LISTS_KEY, filter, sort];

/** Returns the mission from any loaded list. */
export function inLists(queries: QueryClient, id: string): Mission | undefined {
  for (const [, pages] of queries.getQueriesData<MissionPages>({ queryKey: LISTS_KEY })) {
    const found = pages?.pages.flatMap((page) => page.rows).find((mission) => mission._id === id);
    if (found) return found;
  }
  return undefined;
}

/**
 * Inserts a mission at its position in the sort order. If that position is beyond the loaded pages, it is left out,
 * since scrolling will load it.
 */
export function insertRow(pages: MissionPages, mission: Mission, sort: SortKey): MissionPages {
  const isLast = pages.pages.at(-1)?.next === null;
  const at = pages.pages.findIndex(({ rows }) => rows.some((row) => isBefore(sort, mission, row)));
  if (at < 0 && !isLast) return pages;
  const place = at < 0 ? pages.pages.length - 1 : at;
  const inserted = pages.pages.map((page, index) => {
    if (index !== place) return page;
    const before = page.rows.findIndex((row) => isBefore(sort, mission, row));
    return { ...page, rows: page.rows.toSpliced(before < 0 ? page.rows.length : before, 0, mission) };
  });
  return moveTotal({ ...pages, pages: inserted }, 1);
}
