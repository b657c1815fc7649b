import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect } from './connect.ts';

/** SQLSTATE cannot_connect_now: the database starts, or recovers after a crash. */
const CANNOT_CONNECT_NOW = '57P03';
const PATIENCE_MS = 60_000;
const BETWEEN_MS = 500;

/**
 * Waits while a database says that it is starting or recovering, for a minute: the machine that was switched on may be
 * the same. `onWait` gets its words once. Any other failure is left to the first query.
 */
export async function untilStarted(url: string, onWait: (words: string) => void): Promise<void> {
  const db = connect({ url, max: 1 });
  const untilMs = performance.now() + PATIENCE_MS;
  const ask = () => sql`select 1`.execute(db).then(() => null, refusalOf);
  try {
    let said = false;
    for (let refusal = await ask(); refusal !== null && performance.now() < untilMs; refusal = await ask()) {
      if (!said) onWait(refusal);
      said = true;
      await wait(BETWEEN_MS);
    }
  } finally {
    await db.destroy();
  }
}

/** The message of an error that says the database will answer later; null for other errors. */
function refusalOf(error: unknown): string | null {
  const isLater = error instanceof Error && 'code' in error && error.code === CANNOT_CONNECT_NOW;
  return isLater ? error.message : null;
}
