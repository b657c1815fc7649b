import type { ColumnType } from 'kysely';

/** Written as text, read as what it holds. */
export type Json<T> = ColumnType<T, string, string>;

/**
 * Tables by name. Each folder adds its own in a file tables.ts, so that this one imports nothing from above. `bigint`
 * arrives as a number: the pool parses int8, and microseconds are safe integers. Times are UTC microseconds.
 */
export interface Database {
  settings: { key: string; value: Json<unknown> };
}
