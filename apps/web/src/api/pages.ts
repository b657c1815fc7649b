import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './usePages.ts';

/** The pages of a list that have been read, in the form in which they are cached. */
export type RowPages<Row> = InfiniteData<Page<Row>, string | null>;

/** Changes rows in the cache. `mend` returns the changed row, or null to remove it. */
export function mendRows<Row>(pages: RowPages<Row>, mend: (row: Row) => Row | null): RowPages<Row> {
  const mended = pages.pages.map((page) => ({ ...page, rows: page.rows.flatMap((row) => mend(row) ?? []) }));
  const next = { ...pages, pages: mended };
  return moveTotal(next, countRows(next) - countRows(pages));
}

export const countRows = <Row>({ pages }: RowPages<Row>): number =>
  pages.reduce((sum, { rows }) => sum + rows.length, 0);

/** Changes the total number of rows, which is stored with the first page, by this amount. */
export function moveTotal<Row>(pages: RowPages<Row>, by: number): RowPages<Row> {
  const [first] = pages.pages;
  return by === 0 || first === undefined || first.total === null ? pages : setTotal(pages, first.total + by);
}

export function setTotal<Row>(pages: RowPages<Row>, total: number): RowPages<Row> {
  return { ...pages, pages: pages.pages.map((page, index) => (index === 0 ? { ...page, total } : page)) };
}
