import type { Compilable, CompiledQuery, Kysely, Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

type Db = Kysely<Database> | Transaction<Database>;

/** Statement names by statement text. Connections use them to prepare each statement once. */
const names = new Map<string, string>();

/**
 * Runs a frequently used statement with varying values. Each connection parses it once, and PostgreSQL plans it once
 * unless particular values allow a better plan. The statement text must not depend on the number of values: pass a list
 * as a single array.
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

/** A database client that uses the names assigned by `prepared`, so that those statements are prepared. */
export class PreparingClient extends pg.Client {
  override query = ((text, values, ...rest) => {
    const name = names.get(text);
    const ask = super.query.bind(this) as Query & ((named: pg.QueryConfig, ...rest: unknown[]) => unknown);
    return name === undefined ? ask(text, values, ...rest) : ask({ name, text, values: values ?? [] }, ...rest);
  }) as Query as pg.Client['query'];
}
