import { type Kysely, sql } from 'kysely';
import { MARKS_CHANNEL } from './notices.ts';
import type { Database } from './schema.ts';

/** A listening connection that is silent for as long counts as lost. */
const WAIT_MS = 3000;

/** Waits until all notices of earlier commits have arrived: PostgreSQL sends notices in the order of commits. */
export function allReceived(db: Kysely<Database>) {
  const waiting = new Map<string, () => void>();
  return {
    /** From the connection that hears the other notices too. */
    mark: (id: string): void => waiting.get(id)?.(),

    /** @throws Error if they do not come in time */
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
