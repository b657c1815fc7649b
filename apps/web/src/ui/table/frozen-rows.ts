import { useState } from 'react';

type Frozen<Row> = {
  key: string;
  /** Rows in the order in which they are shown. */
  rows: readonly Row[];
  /** Number of listed rows when `rows` was captured; those after it were loaded since by scrolling. */
  listed: number;
};

type Wish<Row> = {
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** The table has the pointer or the focus. */
  isInUse: boolean;
  /** Identifies the list; rows with another key are shown immediately. */
  key: string;
};

/**
 * Keeps order and members of the rows unchanged while the table is in use; their values are current.
 *
 * @returns `fresh`: number of new rows that are not shown yet; `isChanged`: there are such rows, or rows left or
 * changed their order
 */
export function useFrozenRows<Row>({ rows, idOf, isInUse, key }: Wish<Row>) {
  const [frozen, setFrozen] = useState<Frozen<Row> | null>(null);
  const apply = () => setFrozen({ key, rows, listed: rows.length });
  // An empty list is not frozen, so that rows which the user may no longer see disappear immediately.
  const isFrozen = isInUse && frozen !== null && frozen.key === key && rows.length > 0;
  if (isInUse && !isFrozen && rows.length > 0) apply();
  if (!isInUse && frozen !== null) setFrozen(null);
  if (!isFrozen) return { rows, fresh: 0, isChanged: false, apply };

  const existing = new Set(frozen.rows.map(idOf));
  const more = rows.slice(frozen.listed).filter((row) => !existing.has(idOf(row)));
  const order = more.length === 0 ? frozen.rows : [...frozen.rows, ...more];
  if (rows.length > frozen.listed) setFrozen({ key, rows: order, listed: rows.length });
  for (const row of more) existing.add(idOf(row));
  const now = new Map(rows.map((row) => [idOf(row), row]));
  const shown = order.map((row) => now.get(idOf(row)) ?? row);
  return {
    rows: shown,
    fresh: rows.filter((row) => !existing.has(idOf(row))).length,
    isChanged: rows.length !== shown.length || rows.some((row, index) => idOf(row) !== idOf(shown[index]!)),
    apply,
  };
}
