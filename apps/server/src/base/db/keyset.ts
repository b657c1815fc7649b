import { AppError } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

type Value = string | number | null;

/** Position at which a page ended: the sort value of its last row, and that row's id. */
export type Cursor<Key extends string> = { sort: Key; value: Value; id: string };

const cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.uuid()]);

/**
 * Splits a sorted list into pages, each starting after the last row of the previous one. Rows without a value come last
 * in either direction; rows with equal values are sorted by id.
 */
export function keyset<Name extends string>(options: {
  /** SQL expression compared for each sort key. */
  compared: Record<Name, RawBuilder<Value>>;
  id: RawBuilder<string>;
  /**
   * Sort keys whose value is never null. For these, the order omits `nulls last`, so that a plain index on the column
   * can provide it.
   */
  neverNull: readonly Name[];
  /** Sort keys whose value is an integer; the other values are texts. */
  numbers: readonly Name[];
}) {
  type Key = Name | `-${Name}`;
  const { compared, id, neverNull, numbers } = options;
  const nameOf = (sort: Key) => sort.replace(/^-/, '') as Name;
  const isDescending = (sort: Key) => sort.startsWith('-');
  const isOf = (sort: Key, value: Value) =>
    value === null || (numbers.includes(nameOf(sort)) ? Number.isSafeInteger(value) : typeof value === 'string');

  const textOf = ({ sort, value, id: last }: Cursor<Key>): string =>
    Buffer.from(JSON.stringify([sort, value, last])).toString('base64url');

  return {
    /**
     * Cuts the rows to the first `limit` and returns the cursor of the next page, or null for the last page. The query
     * must fetch one row more than `limit`, which shows that there is a next page. Without a limit, all rows are
     * returned.
     */
    cutPage<Row extends { id: string; sorted_by: Value }>(
      found: readonly Row[],
      { sort, limit }: { sort: Key; limit: number | undefined },
    ): { rows: Row[]; next: string | null } {
      const rows = found.slice(0, limit);
      const last = rows[rows.length - 1];
      const next = found.length > rows.length && last ? textOf({ sort, value: last.sorted_by, id: last.id }) : null;
      return { rows, next };
    },

    /** @throws AppError invalid for a malformed cursor or one of another sort */
    readCursor(text: string, sort: Key): Cursor<Key> {
      const parsed = cursor.safeParse(json(Buffer.from(text, 'base64url').toString()));
      if (!parsed.success || parsed.data[0] !== sort || !isOf(sort, parsed.data[1])) {
        throw new AppError('invalid', { 'query.after': 'Not the X-Next-After of a page with this sort' });
      }
      return { sort, value: parsed.data[1], id: parsed.data[2] };
    },

    sortBy(sort: Key): { value: RawBuilder<Value>; order: RawBuilder<unknown> } {
      const value = compared[nameOf(sort)];
      const direction = sql.raw(isDescending(sort) ? 'desc' : 'asc');
      const nulls = sql.raw(neverNull.includes(nameOf(sort)) ? '' : 'nulls last');
      return { value, order: sql`${value} ${direction} ${nulls}, ${id} asc` };
    },

    /**
     * Condition that is true for rows after the cursor. The outer comparison is redundant but lets PostgreSQL start an
     * index scan there.
     */
    isAfter({ sort, value, id: last }: Cursor<Key>): RawBuilder<boolean> {
      const column = compared[nameOf(sort)];
      if (value === null) return sql`(${column} is null and ${id} > ${last}::uuid)`;
      // The cursor comes from the client and may contain any number. The cast to bigint allows comparison with numbers
      // too large for the column.
      const place = numbers.includes(nameOf(sort)) ? sql`${value}::bigint` : sql`${value}`;
      const within = isDescending(sort)
        ? sql<boolean>`(${column} <= ${place} and (${column} < ${place} or ${id} > ${last}::uuid))`
        : sql<boolean>`(${column} >= ${place} and (${column} > ${place} or ${id} > ${last}::uuid))`;
      return neverNull.includes(nameOf(sort)) ? within : sql`(${within} or ${column} is null)`;
    },
  };
}

/** Returns an `ilike` pattern that matches texts containing the word, with its wildcards escaped. */
export const partPattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
