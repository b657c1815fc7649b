/** SQLSTATE classes of a database that is unavailable, is stopping, or took too long: 08, 53, 57. */
const databaseAway = /^(?:08|53|57)/;
const networkAway = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE']);
/**
 * Error messages of the driver that carry no code. The last one is from the rollback of a transaction whose connection
 * is gone.
 */
const driverAway =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** The database is connected but does not answer queries. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';

  constructor() {
    super('The database does not answer');
  }
}

/** Whether an error means that the database did not answer, so that a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseSilent) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (databaseAway.test(code) || networkAway.has(code))) return true;
  return typeof message === 'string' && driverAway.test(message);
}
