import { AppError } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

type Value = string | number | null;

/** Where a page ended: the value that its last row was sorted by, and its id. */
export type Cursor<Key extends string> = { sort: Key; value: Value; id: string };

const cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.uuid()]);

/**
 * Pages of a sorted list, each beginning after the last row of the one before. Rows without a value come last in either
 * direction, rows with the same value by their id.
 */
export function keyset<Name extends string>(options: {
  /** The expression that each sort compares. */
  compared: Record<Name, RawBuilder<Value>>;
  id: RawBuilder<string>;
  /** Sorts whose value is never null: declared so that an index of the plain column serves their order. */
  neverNull: readonly Name[];
  /** Sorts whose value is a whole number; that of the others is a text. */
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
     * The first `limit` of what was found, which may be one more, and the cursor of the next page; null: this was the last.
     * Without a limit it is all.
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

    /** @throws AppError invalid for a foreign cursor, or one of another sort */
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

    /** True for rows after the cursor. The outer comparison alone is what an index can start from. */
    isAfter({ sort, value, id: last }: Cursor<Key>): RawBuilder<boolean> {
      const column = compared[nameOf(sort)];
      if (value === null) return sql`(${column} is null and ${id} > ${last}::uuid)`;
      // A client may have made it up: a number that is too large for its column is compared all the same.
      const place = numbers.includes(nameOf(sort)) ? sql`${value}::bigint` : sql`${value}`;
      const within = isDescending(sort)
        ? sql<boolean>`(${column} <= ${place} and (${column} < ${place} or ${id} > ${last}::uuid))`
        : sql<boolean>`(${column} >= ${place} and (${column} > ${place} or ${id} > ${last}::uuid))`;
      return neverNull.includes(nameOf(sort)) ? within : sql`(${within} or ${column} is null)`;
    },
  };
}

/** A pattern for `ilike` that contains the word: wildcards in it are escaped. */
export const partPattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
