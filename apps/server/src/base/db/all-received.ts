import { type Kysely, sql } from 'kysely';
import { MARKS_CHANNEL } from './notices.ts';
import type { Database } from './schema.ts';

/** A listening connection that is silent for this long is considered lost, in milliseconds. */
const WAIT_MS = 3000;

/**
 * Waits until all notices of earlier commits have been received. PostgreSQL sends notices in commit order, so the
 * arrival of a marker notice shows that all earlier ones have arrived.
 */
export function allReceived(db: Kysely<Database>) {
  const waiting = new Map<string, () => void>();
  return {
    /** Reports a marker notice. Must be called for notices from the connection that also receives the other notices. */
    mark: (id: string): void => waiting.get(id)?.(),

    /** @throws Error if the notices do not arrive in time */
    async wait(): Promise<void> {
      const id = crypto.randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error('The notices of the database do not come')), WAIT_MS);
      waiting.set(id, resolve);
      try {
        await sql`select pg_notify(${MARKS_CHANNEL}, ${id})`.execute(db);
        await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
}
