import type { Compilable, CompiledQuery, Kysely, Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

type Db = Kysely<Database> | Transaction<Database>;

/** The name under which a connection keeps each prepared statement, by its text. */
const names = new Map<string, string>();

/**
 * Runs a statement that is used often, with other values each time: each connection parses it once, and PostgreSQL
 * plans it once unless a value makes a better plan. Its text must not grow with its values: pass a list as one array.
 */
export async function prepared<Row>(db: Db, statement: Compilable<Row>): Promise<Row[]> {
  return (await db.executeQuery(withName(statement.compile()))).rows;
}

/** Runs a prepared statement with one value; the statement is built only once. */
export function preparedBy<Row, Value>(db: Db, build: (value: Value) => Compilable<Row>) {
  let built: CompiledQuery<Row> | null = null;
  return async (value: Value): Promise<Row[]> => {
    built ??= withName(build(value).compile());
    return (await db.executeQuery<Row>({ ...built, parameters: [value] })).rows;
  };
}

function withName<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!names.has(statement.sql)) names.set(statement.sql, `osprey_${names.size}`);
  return statement;
}

type Query = (text: string, values?: unknown[], ...rest: unknown[]) => unknown;

/** A connection that gives the statements of `prepared` their names. */
export class PreparingClient extends pg.Client {
  override query = ((text, values, ...rest) => {
    const name = names.get(text);
    const ask = super.query.bind(this) as Query & ((named: pg.QueryConfig, ...rest: unknown[]) => unknown);
    return name === undefined ? ask(text, values, ...rest) : ask({ name, text, values: values ?? [] }, ...rest);
  }) as Query as pg.Client['query'];
}
