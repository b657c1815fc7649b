import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';
import type { Database } from './schema.ts';

const INT8_OID = 20;
const STATEMENT_TIMEOUT_MS = 5000;
const TURN_MS = 2000;

export type Connection = {
  url: string;
  /** Connections at once. */
  max?: number;
  /** No query of a request runs longer; jobs may ask for more. 0 is no limit. */
  statementTimeoutMs?: number;
  /** So long a query waits for a connection; who asks over HTTP hears soon that it is busy. */
  turnMs?: number;
  /** A connection broke; what is done over it fails, and the next query opens another. */
  onError?: (error: Error) => void;
};

/** `bigint` is read as a number: microseconds are safe integers until the year 2255. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

export function connect(connection: Connection) {
  const { url, max = 10, statementTimeoutMs = STATEMENT_TIMEOUT_MS, turnMs = TURN_MS, onError } = connection;
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max,
    types,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: turnMs,
    keepAlive: true,
  });
  // Without listeners a stop of the database would end this process. The pool hears only of connections that lie idle:
  // one that is cut between two statements of a transaction has to have its own.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** The same address for another database or account. */
export function addressWith(url: string, change: { database?: string; user?: string; password?: string }): string {
  const address = new URL(url);
  if (change.database !== undefined) address.pathname = `/${change.database}`;
  if (change.user !== undefined) address.username = change.user;
  if (change.password !== undefined) address.password = change.password;
  return address.href;
}
