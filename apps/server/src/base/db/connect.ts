import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { DatabaseSilent } from './away.ts';
import { PreparingClient } from './prepared.ts';
import type { Database } from './schema.ts';
import { watchDatabase } from './watch.ts';

const INT8_OID = 20;
const STATEMENT_TIMEOUT_MS = 5000;
const TURN_MS = 2000;
/**
 * Time after which an idle transaction is ended, in milliseconds. Without it, a session whose client was lost with the
 * network would hold its locks for hours.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;

export type Connection = {
  url: string;
  /** Maximum number of simultaneous connections. */
  max?: number;
  /**
   * Maximum duration of a query, in milliseconds; 0 means no limit. The default is for requests; jobs may set a higher
   * value.
   */
  statementTimeoutMs?: number;
  /**
   * Maximum time that a query waits for a free connection, in milliseconds. It is short, so that HTTP clients soon get
   * the answer "busy".
   */
  turnMs?: number;
  /**
   * Aborts waiting queries once the database has not answered at all for `turnMs`. Used by processes that serve
   * requests.
   */
  watched?: boolean;
  /** Called when a connection breaks. Queries in progress on it fail; the next query opens a new connection. */
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
  const { url, max = 10, statementTimeoutMs = STATEMENT_TIMEOUT_MS, turnMs = TURN_MS, watched = false } = connection;
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    Client: PreparingClient,
    stream: () => socketIn(sockets),
    connectionString: url,
    max,
    types,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: turnMs,
    keepAlive: true,
    ...(watched && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
  });
  const onError = (error: Error) => connection.onError?.(error);
  // Without error listeners, a stop of the database would end this process. The pool reports only errors of idle
  // connections, so a connection that breaks between two statements of a transaction needs its own listener.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', (error) => error instanceof DatabaseSilent || onError(error)));
  const watchedOnce = async () => watchedPool(pool, { url, silenceMs: turnMs, sockets, onError });
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: watched ? watchedOnce : pool }) });
}

/** A socket that is in the set until it is closed. */
function socketIn(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

type Watching = {
  url: string;
  silenceMs: number;
  sockets: ReadonlySet<Socket>;
  /** Called once for all connections. */
  onError: (error: Error) => void;
};

/**
 * A pool that does not wait for a silent database: while the database gives no answer, open connections are cut and new
 * ones refused.
 */
function watchedPool(pool: pg.Pool, { url, silenceMs, sockets, onError }: Watching): PostgresPool {
  const watch = watchDatabase({
    ...{ url, silenceMs },
    onSilent: () => {
      for (const socket of sockets) socket.destroy(new DatabaseSilent());
      onError(new DatabaseSilent());
    },
  });
  return {
    options: pool.options,
    connect: () => (watch.isSilent() ? Promise.reject(new DatabaseSilent()) : pool.connect()),
    // The watch is closed last, so that connections still waiting are cut too.
    end: () => pool.end().finally(watch.close),
  };
}

/** Returns the address with another database, user or password. */
export function addressWith(url: string, change: { database?: string; user?: string; password?: string }): string {
  const address = new URL(url);
  if (change.database !== undefined) address.pathname = `/${change.database}`;
  if (change.user !== undefined) address.username = change.user;
  if (change.password !== undefined) address.password = change.password;
  return address.href;
}
