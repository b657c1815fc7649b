/** SQLSTATE classes of a database that is away, stops, or took too long: 08, 53, 57. */
const databaseAway = /^(?:08|53|57)/;
const networkAway = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']);
/** What the driver says itself, without a code. */
const driverAway = /^(?:timeout exceeded when trying to connect|Connection terminated)/;

/** Whether it failed because the database did not answer, so that the same may go well later. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (databaseAway.test(code) || networkAway.has(code))) return true;
  return typeof message === 'string' && driverAway.test(message);
}
