import type { ReactNode } from 'react';

/** A column of the table. */
export type Column<Row> = {
  id: string;
  header: string;
  /** Minimum width in px, and share of the remaining width. */
  width: number;
  grow?: number;
  align?: 'right';
  sortable?: boolean;
  /** The column cannot be hidden, and is not left out if there is no room. */
  fixed?: boolean;
  /** Columns with a lower priority are left out first if there is no room; of equal ones, the last. 0 by default. */
  priority?: number;
  cell: (row: Row) => ReactNode;
};

export type Sorting = { column: string; descending: boolean };

/** The user's choice of columns, stored in this browser. */
export type ColumnChoice = { hidden: readonly string[]; widths: Readonly<Record<string, number>> };

/** Properties of a row that the table needs. */
export type RowTraits = {
  id: string;
  /** Name used in the labels of the row's arrow and checkbox. */
  name: string;
  level: 1 | 2;
  /** Undefined if the row has no children. */
  expanded?: boolean;
  /** Undefined if the row cannot be selected. */
  checked?: boolean;
  open?: boolean;
  /** Just created: the row pulses. */
  fresh?: boolean;
};

export const NARROWEST_PX = 56;

/** Returns the grid template of a row: checkbox and arrow, the columns, and room for the actions. */
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

/**
 * Returns the minimum width of a row, below which a narrow window scrolls sideways instead of shrinking the columns.
 */
export function leastWidth<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnChoice['widths'],
  extra: number,
): number {
  return columns.reduce((sum, { id, width }) => sum + (widths[id] ?? width), extra);
}

/** Sorts rows that are completely loaded by one value; equal ones keep their order. */
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

/**
 * Returns the columns that fit, each with its whole width. Fixed columns and the sorted column are never left out. A column
 * that the user has widened counts with its own width, so that the table scrolls instead.
 *
 * @param room width for the columns in px; 0 if it is not known yet
 */
export function columnsInRoom<Row>(
  columns: readonly Column<Row>[],
  { widths, sorted, room }: { widths: ColumnChoice['widths']; sorted: string | null; room: number },
): readonly Column<Row>[] {
  const needOf = ({ id, width }: Column<Row>) => Math.min(width, widths[id] ?? width);
  let need = columns.reduce((sum, column) => sum + needOf(column), 0);
  if (room === 0 || need <= room) return columns;
  const last = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.fixed !== true && column.id !== sorted)
    .sort((a, b) => (a.column.priority ?? 0) - (b.column.priority ?? 0) || b.index - a.index);
  const dropped = new Set<string>();
  for (const { column } of last) {
    if (need <= room) break;
    dropped.add(column.id);
    need -= needOf(column);
  }
  return columns.filter(({ id }) => !dropped.has(id));
}
