import { AppError, EXPORTS_MAX } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';

/**
 * Limits the simultaneous exports of each user. Counts exports made in the background and those streamed while being
 * made.
 */
export type ExportSlots = ReturnType<typeof exportSlots>;

export function exportSlots({ db }: { db: Kysely<Database> }) {
  const streaming = new Map<string, number>();

  return {
    /** @throws AppError tooManyRequests if the user has reached the limit */
    async check(userId: string): Promise<void> {
      const count = (await openExports(db, userId)) + (streaming.get(userId) ?? 0);
      if (count >= EXPORTS_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
    },
    /** Counts one more export being streamed to this user. Returns the function to call when it has ended. */
    enter(userId: string): () => void {
      streaming.set(userId, (streaming.get(userId) ?? 0) + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (streaming.get(userId) ?? 1) - 1;
        if (left > 0) streaming.set(userId, left);
        else streaming.delete(userId);
      };
    },
  };
}

/** Returns the number of an account's background exports that are waiting or being made. */
export async function openExports(db: Kysely<Database>, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('kind', '=', 'export')
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  return rows.length;
}
