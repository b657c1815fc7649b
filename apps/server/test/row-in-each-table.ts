import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';

type Column = {
  table: string;
  column: string;
  type: string;
  /** Table and column of the row that it names. */
  refers: string | null;
  /** It has no default, and may not be null. */
  isNeeded: boolean;
  key: string | null;
  check: string | null;
};

/** A value for a column: one that its table allows, that of a row it refers to, or any of its type. */
const valueFor = ({ type, refers, key, check }: Column): string => {
  if (refers !== null) return `(select "${key}" from "${refers}" limit 1)`;
  const allowed = /ARRAY\['([^']+)'/.exec(check ?? '')?.[1];
  if (allowed !== undefined) return `'${allowed}'`;
  if (type === 'text') return `E'\\t"ä\\\\'`;
  return values[type] ?? '1';
};
const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  boolean: 'true',
  json: `'{"a": ["ä"]}'`,
  jsonb: `'{"a": ["ä"]}'`,
  bytea: `'\\x00ff'`,
  polygon: `'((0,0),(0,1),(1,1))'`,
  tsvector: `'words'`,
  'text[]': `'{"a,b", "ä"}'`,
  'integer[]': `'{1}'`,
  'smallint[]': `'{1,null}'`,
};

/** Puts a row into each empty table except these, for any version of the schema. Returns the filled tables. */
export async function rowInEachTable(db: Kysely<Database>, without: readonly string[] = []): Promise<string[]> {
  const columns = await columnsOf(db);
  const filled: string[] = [];
  let waiting = [...new Set(columns.map(({ table }) => table))].filter((table) => !without.includes(table));
  for (let left = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < left; ) {
    left = waiting.length;
    const again: string[] = [];
    for (const table of waiting) {
      const own = columns.filter((one) => one.table === table);
      const isReady = own.every(({ refers }) => refers === null || refers === table || !waiting.includes(refers));
      if (!isReady) again.push(table);
      else if (await fill(db, table, own)) filled.push(table);
    }
    waiting = again;
  }
  if (waiting.length > 0) throw new Error(`No row could be made for ${waiting.join(', ')}`);
  return filled;
}

/** Adds a row with these values, and any value in the other columns that need one. Returns its id. */
export async function addRow(db: Kysely<Database>, table: string, given: Record<string, unknown>): Promise<string> {
  const others = (await columnsOf(db)).filter(
    (one) => one.table === table && one.isNeeded && !Object.hasOwn(given, one.column),
  );
  const names = [...Object.keys(given), ...others.map(({ column }) => column)].map((name) => sql.id(name));
  const values = [
    ...Object.values(given).map((value) => sql`${value}`),
    ...others.map((column) => sql.raw(valueFor(column))),
  ];
  const { rows } = await sql<{ id: string }>`insert into ${sql.id(table)} (${sql.join(names)})
    values (${sql.join(values)}) returning id`.execute(db);
  return rows[0]!.id;
}

async function fill(db: Kysely<Database>, table: string, columns: readonly Column[]): Promise<boolean> {
  const { rows } = await sql`select from ${sql.id(table)} limit 1`.execute(db);
  if (rows.length > 0) return false;
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  await sql.raw(`insert into "${table}" (${names}) values (${columns.map(valueFor).join(', ')})`).execute(db);
  return true;
}

/** Columns that an insert must name: not generated and without a default; and all that refer to other tables. */
async function columnsOf(db: Kysely<Database>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
      a.attnotnull and not a.atthasdef as "isNeeded", f.confrelid::regclass::text as refers, k.attname as "key",
      (select pg_get_constraintdef(o.oid) from pg_constraint o
        where o.conrelid = c.oid and o.contype = 'c' and o.conkey = array[a.attnum] limit 1) as "check"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]
      left join pg_attribute k on k.attrelid = f.confrelid and k.attnum = f.confkey[1]
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
      and a.attgenerated = '' and a.attidentity = ''
      and ((a.attnotnull and not a.atthasdef) or f.oid is not null)
    order by c.oid, a.attnum`.execute(db);
  return rows;
}
