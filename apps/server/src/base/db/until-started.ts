import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect } from './connect.ts';

/** SQLSTATE cannot_connect_now: the database starts, or recovers after a crash. */
const CANNOT_CONNECT_NOW = '57P03';
const START_TIMEOUT_MS = 60_000;
const BETWEEN_MS = 500;

/**
 * Waits up to a minute for a database that reports that it is starting or recovering, since it may be on a machine that
 * was only just switched on. `onWait` is called once with the database's message. Any other error is left to the first
 * query.
 */
export async function untilStarted(url: string, onWait: (words: string) => void): Promise<void> {
  const db = connect({ url, max: 1 });
  const untilMs = performance.now() + START_TIMEOUT_MS;
  const ask = () => sql`select 1`.execute(db).then(() => null, refusalOf);
  try {
    let isReported = false;
    for (let refusal = await ask(); refusal !== null && performance.now() < untilMs; refusal = await ask()) {
      if (!isReported) onWait(refusal);
      isReported = true;
      await wait(BETWEEN_MS);
    }
  } finally {
    await db.destroy();
  }
}

/** Returns the message of an error that reports that the database is not ready yet; null for other errors. */
function refusalOf(error: unknown): string | null {
  const isLater = error instanceof Error && 'code' in error && error.code === CANNOT_CONNECT_NOW;
  return isLater ? error.message : null;
}
