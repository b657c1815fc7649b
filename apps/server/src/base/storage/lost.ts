import { NotStored, type Storage } from './storage.ts';

/** Folder of files that no row owns. Only an operator removes them. */
export const LOST = 'lost';

/**
 * Moves files without a row out of the way, into a folder of the day: `lost/2026-07-29/originals/…`. They stay on the
 * same volume, so this needs no room. Returns those that were moved.
 */
export async function moveToLost(storage: Storage, keys: readonly string[], nowMs: number): Promise<string[]> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const moved: string[] = [];
  for (const key of keys) {
    try {
      await storage.move(key, `${LOST}/${day}/${key}`);
      moved.push(key);
    } catch (error) {
      // Gone meanwhile, or of a name that we never gave.
      if (!(error instanceof NotStored || error instanceof RangeError)) throw error;
    }
  }
  return moved;
}
