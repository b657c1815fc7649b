import { NotStored, type Storage } from './storage.ts';

/** Directory for files without a database row. Only an operator removes files from it. */
export const LOST = 'lost';

/**
 * Moves files that have no database row to a directory named after the day: `lost/2026-07-29/originals/…`. They remain
 * on the same volume, so that the move needs no disk space. Returns the keys that were moved.
 */
export async function moveToLost(storage: Storage, keys: readonly string[], nowMs: number): Promise<string[]> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const moved: string[] = [];
  for (const key of keys) {
    try {
      await storage.move(key, `${LOST}/${day}/${key}`);
      moved.push(key);
    } catch (error) {
      // The file was removed meanwhile, or its name was not created by this server.
      if (!(error instanceof NotStored || error instanceof RangeError)) throw error;
    }
  }
  return moved;
}
