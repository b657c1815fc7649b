import type { ReactNode } from 'react';

/** One column of the table of the product. */
export type Column<Row> = {
  id: string;
  header: string;
  /** Smallest width in px, and its share of what is left over. */
  width: number;
  grow?: number;
  align?: 'right';
  sortable?: boolean;
  /** Stays when columns are chosen. */
  fixed?: boolean;
  cell: (row: Row) => ReactNode;
};

export type Sorting = { column: string; descending: boolean };

/** The reader's choice of columns; kept on this machine. */
export type ColumnChoice = { hidden: readonly string[]; widths: Readonly<Record<string, number>> };

/** Properties of a row that the table needs. */
export type RowTraits = {
  id: string;
  /** Name in the labels of its arrow and checkbox. */
  name: string;
  level: 1 | 2;
  /** Undefined: it has no children. */
  expanded?: boolean;
  /** Undefined: it cannot be chosen. */
  checked?: boolean;
  open?: boolean;
};

export const NARROWEST_PX = 56;

/** The grid of a row: checkbox and arrow, the columns, and room for the actions of a row. */
export function gridTemplate<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnChoice['widths'],
  { checks, actions, tree }: { checks: boolean; actions: number; tree: boolean },
): string {
  const tracks = columns.map(({ id, width, grow = 0 }) => {
    const chosen = widths[id];
    if (chosen !== undefined) return `${chosen}px`;
    return grow === 0 ? `${width}px` : `minmax(${width}px, ${grow}fr)`;
  });
  const lead = [...(checks ? ['40px'] : []), ...(tree ? ['36px'] : [])];
  return [...lead, ...tracks, ...(actions > 0 ? [`${actions}px`] : [])].join(' ');
}

/** The least width of a row, so that a narrow window scrolls sideways instead of squeezing. */
export function leastWidth<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnChoice['widths'],
  extra: number,
): number {
  return columns.reduce((sum, { id, width }) => sum + (widths[id] ?? width), extra);
}

/** Rows that are all at hand, in the order of one value; equal ones stay as they were. */
export function sortedBy<Row>(
  rows: readonly Row[],
  orderOf: (row: Row) => string | number,
  descending: boolean,
): Row[] {
  const turn = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [orderOf(a), orderOf(b)];
    if (left === right) return 0;
    return left < right ? -turn : turn;
  });
}
