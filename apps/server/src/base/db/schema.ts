import type { ColumnType } from 'kysely';

/** JSON column: written as text and read as the parsed value. */
export type Json<T> = ColumnType<T, string, string>;

/**
 * Tables by name. Each directory adds its own in a file tables.ts, so that this file imports nothing from higher
 * layers. `bigint` values arrive as numbers: the pool parses int8, and microseconds are safe integers. Times are in UTC
 * microseconds.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each directory adds its tables.
export interface Database {}
