import { useState } from 'react';

type Held<Row> = {
  key: string;
  /** In the order in which they are shown. */
  rows: readonly Row[];
  /** Number of rows that were listed when `rows` were taken: what comes after them was read since, by scrolling. */
  listed: number;
};

type Wish<Row> = {
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** The table is in use. */
  isInUse: boolean;
  /** Names what is listed: with another key other rows are wanted, and shown at once. */
  key: string;
};

/**
 * Rows whose order and members hold still while the table is in use; their values are those of now.
 *
 * @returns `fresh`: rows that wait; `isChanged`: rows wait, have left, or are in another order
 */
export function useHeldRows<Row>({ rows, idOf, isInUse, key }: Wish<Row>) {
  const [held, setHeld] = useState<Held<Row> | null>(null);
  const apply = () => setHeld({ key, rows, listed: rows.length });
  // Without any rows there is nothing to hold: what is not theirs to see any more is gone at once.
  const isHeld = isInUse && held !== null && held.key === key && rows.length > 0;
  if (isInUse && !isHeld && rows.length > 0) apply();
  if (!isInUse && held !== null) setHeld(null);
  if (!isHeld) return { rows, fresh: 0, isChanged: false, apply };

  const existing = new Set(held.rows.map(idOf));
  const more = rows.slice(held.listed).filter((row) => !existing.has(idOf(row)));
  const order = more.length === 0 ? held.rows : [...held.rows, ...more];
  if (rows.length > held.listed) setHeld({ key, rows: order, listed: rows.length });
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
