import type { ColumnChoice, Sorting } from './data-table.ts';

/** Rows of a phone, which have two lines, pixels. */
export const PHONE_ROW = 56;

/** Columns of a narrow table, which nobody chooses. */
export const noChoice: ColumnChoice = { hidden: [], widths: {} };

/** A key such as `-created`, as the heads of a table show it: by `created`, descending. */
export const sortingOf = (sort: string): Sorting => ({
  column: sort.replace(/^-/, ''),
  descending: sort.startsWith('-'),
});

/**
 * The key after a press on the head of a column: the other way round, or by this one. Those of `startsDown` begin with
 * what one looks for: newest, highest and most first.
 */
export function nextSort<Key extends string>(sort: Key, column: string, startsDown: readonly string[]): Key {
  const before = sortingOf(sort);
  const descending = before.column === column ? !before.descending : startsDown.includes(column);
  return `${descending ? '-' : ''}${column}` as Key;
}

/** State of the box for all rows. */
export const allOrSome = (chosen: number, all: number): boolean | 'some' =>
  chosen === 0 ? false : chosen === all ? true : 'some';
