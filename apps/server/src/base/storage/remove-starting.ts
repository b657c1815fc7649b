import type { Storage } from './storage.ts';

/** Removes the files whose keys begin with the stem, `indexes/{sensorId}/{fileId}`, except those to be kept. */
export async function removeStarting(
  storage: Pick<Storage, 'list' | 'remove'>,
  stem: string,
  retained: readonly string[] = [],
): Promise<void> {
  const stays = new Set(retained);
  for await (const { key } of storage.list(stem.slice(0, stem.lastIndexOf('/')))) {
    if (key.startsWith(stem) && !stays.has(key)) await storage.remove(key);
  }
}
