import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './usePages.ts';

/** The pages of a list that were read, as they are kept. */
export type RowPages<Row> = InfiniteData<Page<Row>, string | null>;

/** Changes rows in the cache; the function answers null for a row to remove. */
export function mendRows<Row>(pages: RowPages<Row>, mend: (row: Row) => Row | null): RowPages<Row> {
  const mended = pages.pages.map((page) => ({ ...page, rows: page.rows.flatMap((row) => mend(row) ?? []) }));
  const next = { ...pages, pages: mended };
  return moveTotal(next, countRows(next) - countRows(pages));
}

export const countRows = <Row>({ pages }: RowPages<Row>): number =>
  pages.reduce((sum, { rows }) => sum + rows.length, 0);

/** The number of all came with the first page. */
export function moveTotal<Row>(pages: RowPages<Row>, by: number): RowPages<Row> {
  const [first] = pages.pages;
  return by === 0 || first === undefined || first.total === null ? pages : setTotal(pages, first.total + by);
}

export function setTotal<Row>(pages: RowPages<Row>, total: number): RowPages<Row> {
  return { ...pages, pages: pages.pages.map((page, index) => (index === 0 ? { ...page, total } : page)) };
}
