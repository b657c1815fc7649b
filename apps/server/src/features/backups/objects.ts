import type { Storage } from '../../base/storage/storage.ts';
import { isFinished, lines, objectKey, setKey, setNames } from './target.ts';

const PREFIXES = Array.from({ length: 256 }, (_none, at) => at.toString(16).padStart(2, '0'));

/**
 * Removes objects that no set needs any more, and half-written ones of a killed run. It must not run while a backup is
 * being made. The lists are sorted, so only names with the same two first letters are in memory at once.
 */
export async function sweepObjects(target: Storage): Promise<number> {
  for await (const { key } of target.list('incoming')) await target.remove(key);
  const readers: ReturnType<typeof sortedReader>[] = [];
  for (const name of await setNames(target)) {
    if (await needsObjects(target, name)) readers.push(sortedReader(lines(target.read(setKey(name, 'objects.list')))));
  }
  let removed = 0;
  for (const prefix of PREFIXES) {
    const needed = new Set<string>();
    for (const read of readers) for (const name of await read(prefix)) needed.add(name);
    for await (const { key } of target.list(`objects/${prefix}`)) {
      const name = key.slice(key.lastIndexOf('/') + 1);
      if (needed.has(name)) continue;
      await target.remove(objectKey(name));
      removed += 1;
    }
  }
  return removed;
}

/** A set that was aborted needs no objects, nor does one of the database alone, which has no list. */
const needsObjects = async (target: Storage, name: string): Promise<boolean> =>
  (await isFinished(target, name)) && (await target.stat(setKey(name, 'files.enc'))) !== null;

/**
 * Returns a function that returns the names beginning with a prefix. Prefixes must be requested in the order of the
 * list.
 */
function sortedReader(names: AsyncGenerator<string>): (prefix: string) => Promise<string[]> {
  let next: string | null = null;
  return async (prefix) => {
    const found: string[] = [];
    for (;;) {
      if (next === null) {
        const { value, done } = await names.next();
        if (done) return found;
        next = value;
      }
      if (!next.startsWith(prefix)) return found;
      found.push(next);
      next = null;
    }
  };
}
