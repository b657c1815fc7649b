import type { Mission } from '@osprey/contract';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '../api/usePages.ts';
import type { Filter, SortKey } from './filter.ts';
import { isBefore } from './order.ts';

export type MissionPages = InfiniteData<Page<Mission>, string | null>;
type ListKey = readonly ['missions', 'list', Filter, SortKey];

/** The first part of the keys of all lists that were read. */
export const LISTS_KEY = ['missions', 'list'] as const;

export const missionListKey = (filter: Filter, sort: SortKey): ListKey => [...LISTS_KEY, filter, sort];

/** A mission as any of the lists has it. */
export function inLists(queries: QueryClient, id: string): Mission | undefined {
  for (const [, pages] of queries.getQueriesData<MissionPages>({ queryKey: LISTS_KEY })) {
    const found = pages?.pages.flatMap((page) => page.rows).find((mission) => mission._id === id);
    if (found) return found;
  }
  return undefined;
}

/** Changes rows where they lie; the function answers null for a row that goes. */
export function mendRows(pages: MissionPages, mend: (mission: Mission) => Mission | null): MissionPages {
  const mended = pages.pages.map((page) => ({ ...page, rows: page.rows.flatMap((mission) => mend(mission) ?? []) }));
  const next = { ...pages, pages: mended };
  return withTotal(next, countRows(next) - countRows(pages));
}

/** Puts a mission where the order wants it, unless that is beyond the pages that were read: scrolling reads it there. */
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
  return withTotal({ ...pages, pages: inserted }, 1);
}

export const countRows = ({ pages }: MissionPages): number => pages.reduce((sum, { rows }) => sum + rows.length, 0);

/** The number of all came with the first page. */
function withTotal(pages: MissionPages, by: number): MissionPages {
  const [first] = pages.pages;
  return by === 0 || first === undefined || first.total === null ? pages : setTotal(pages, first.total + by);
}

export function setTotal(pages: MissionPages, total: number): MissionPages {
  return { ...pages, pages: pages.pages.map((page, index) => (index === 0 ? { ...page, total } : page)) };
}
