import { AppError, EXPORTS_MAX } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';

/** Exports of one user at the same time: those that are made in the background, and those that are sent while they are made. */
export type ExportSlots = ReturnType<typeof exportSlots>;

export function exportSlots({ db }: { db: Kysely<Database> }) {
  const streaming = new Map<string, number>();

  return {
    /** @throws AppError tooManyRequests where the user has as many as they may */
    async check(userId: string): Promise<void> {
      const count = (await openExports(db, userId)) + (streaming.get(userId) ?? 0);
      if (count >= EXPORTS_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
    },
    /** One more is sent to this user; returns the function that says it has ended. */
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

/** Number of exports of an account that wait or are being made in the background. */
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
