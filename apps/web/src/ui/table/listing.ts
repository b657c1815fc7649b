import type { ColumnChoice, Sorting } from './data-table.ts';

/** Height of rows on a phone, which have two lines, in px. */
export const PHONE_ROW = 56;

/** Column choice for a narrow table, in which users cannot choose columns. */
export const noChoice: ColumnChoice = { hidden: [], widths: {} };

/** Converts a sort key such as `-created` to the state shown in the heads: by `created`, descending. */
export const sortingOf = (sort: string): Sorting => ({
  column: sort.replace(/^-/, ''),
  descending: sort.startsWith('-'),
});

/**
 * Returns the sort key after a click on the head of a column: the opposite direction, or this column. The columns in
 * `startsDown` start in descending order: newest, highest or most first.
 */
export function nextSort<Key extends string>(sort: Key, column: string, startsDown: readonly string[]): Key {
  const before = sortingOf(sort);
  const descending = before.column === column ? !before.descending : startsDown.includes(column);
  return `${descending ? '-' : ''}${column}` as Key;
}

/** Returns the state of the checkbox for all rows. */
export const allOrSome = (chosen: number, all: number): boolean | 'some' =>
  chosen === 0 ? false : chosen === all ? true : 'some';
