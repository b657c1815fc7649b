import { useState } from 'react';

type Frozen<Row> = {
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
export function useFrozenRows<Row>({ rows, idOf, isInUse, key }: Wish<Row>) {
  const [frozen, setFrozen] = useState<Frozen<Row> | null>(null);
  const apply = () => setFrozen({ key, rows, listed: rows.length });
  // Without any rows there is nothing to hold: what is not theirs to see any more is gone at once.
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
