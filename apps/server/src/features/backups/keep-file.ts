import { createHash, randomUUID } from 'node:crypto';
import type { Storage } from '../../base/storage/storage.ts';
import { isMediumError } from '../../base/stored/note-damage.ts';
import type { FoundFault, StoredFile } from '../../base/stored/stored-files.ts';
import { abortable } from './abortable.ts';
import { type ExistingFiles, readFile } from './files.ts';
import { BackupDamaged, contentName, seal, sealedBytes } from './seal.ts';
import { type FileEntry, objectKey, type Sealed } from './target.ts';

type Found = { key: string; sizeBytes: number; modifiedMs: number };

type Content = { entry: FileEntry; object: string; newBytes: number };

export type Kept = {
  /**
   * Content that a restore will bring back: the file itself, or the undamaged content of a damaged file. Null if the
   * disk could not read it.
   */
  content: Content | null;
  /** The content is from an earlier backup, in place of the damaged file. */
  isGood: boolean;
  /** Null if the file agrees with its database row or has none. */
  fault: FoundFault | null;
};

export type Keeping = {
  sealed: Pick<Sealed, 'target' | 'key'>;
  source: Storage;
  found: Found;
  /** Database row of the file; null if it has none. */
  item: StoredFile | null;
  /** Files of the earlier backup. Null if existing objects cannot be trusted and must be replaced. */
  existing: ExistingFiles | null;
  /**
   * Returns whether the file is read even if an earlier backup contains it, since bytes can change while size and time
   * stay the same.
   */
  isReadAgain: () => boolean;
  signal: AbortSignal;
};

/** Time that no file has. An entry with it is never considered unchanged. */
const NO_TIME = -1;

/**
 * Ends a backup because the server's disk could not read a file. Such a file has no database row that states its size
 * and hash, so its content cannot be taken from an earlier backup.
 */
export class SourceUnreadable extends Error {
  override name = 'SourceUnreadable';

  constructor(key: string, cause: unknown) {
    super(`The file ${key} of the data folder cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Adds one file to the objects unless its content is already there. Returns null if the file was removed meanwhile. The
 * file is read once and hashed and encrypted in the same pass. A file that differs from its database row is replaced by
 * its undamaged content if an earlier backup contains that.
 */
export async function keepFile(keeping: Keeping): Promise<Kept | null> {
  const { found, item } = keeping;
  const takenOver = await takeOver(keeping);
  if (takenOver !== null && !keeping.isReadAgain()) return takenOver;
  if (item !== null && found.sizeBytes !== item.sizeBytes) {
    const fault: FoundFault = { fault: 'size', foundBytes: found.sizeBytes };
    const good = await goodContent(keeping, item);
    if (good !== null) return { content: good, isGood: true, fault };
  }
  try {
    return await readAndKeep(keeping);
  } catch (error) {
    if ((await keeping.source.stat(found.key)) === null) return null;
    if (!(error instanceof ReadFailed)) throw error;
    if (item === null || !isMediumError(error.cause)) throw new SourceUnreadable(found.key, error.cause);
    const fault: FoundFault = { fault: 'unreadable', foundBytes: null };
    const good = await goodContent(keeping, item);
    return { content: good, isGood: good !== null, fault };
  }
}

/** Includes the undamaged content of a missing file if an earlier backup contains it. */
export async function keepMissing(looking: Looking, item: StoredFile): Promise<Kept> {
  const good = await goodContent(looking, item);
  return { content: good, isGood: good !== null, fault: { fault: 'missing', foundBytes: null } };
}

const entryOf = (key: string, sizeBytes: number, sha256: string): FileEntry => ({
  ...{ key, sizeBytes, sha256 },
  modifiedMs: NO_TIME,
});

/** Entry of an earlier backup for a file of this place, size and time. */
export function unchangedEntry(
  existing: ExistingFiles | null,
  { key, sizeBytes, modifiedMs }: Found,
): FileEntry | null {
  const same = existing?.get(key);
  return same?.sizeBytes === sizeBytes && same.modifiedMs === modifiedMs ? same : null;
}

/**
 * Reuses the entry of an earlier backup for a file with the same size and time, unless the file's database row
 * contradicts it.
 */
async function takeOver({ sealed, found, item, existing }: Keeping): Promise<Kept | null> {
  const { target, key } = sealed;
  const same = unchangedEntry(existing, found);
  if (same === null) return null;
  const isExpected =
    item === null ||
    item.isAccepted ||
    (item.fault === null && item.sizeBytes === same.sizeBytes && [null, same.sha256].includes(item.sha256));
  if (!isExpected) return null;
  const object = contentName(key, same.sha256);
  const stored = await target.stat(objectKey(object));
  if (stored?.sizeBytes !== sealedBytes(same.sizeBytes)) return null;
  return { content: { entry: same, object, newBytes: 0 }, isGood: false, fault: null };
}

type Looking = Pick<Keeping, 'sealed' | 'existing' | 'signal'> & { found: Pick<Found, 'key'> };

/** Finds the content described in the row in an earlier backup; null if none contains it completely. */
async function goodContent({ sealed, existing, found, signal }: Looking, item: StoredFile): Promise<Content | null> {
  const { target, key } = sealed;
  const before = existing?.get(found.key);
  const sha256 = item.sha256 ?? item.keptSha256 ?? (before?.sizeBytes === item.sizeBytes ? before.sha256 : null);
  if (sha256 === null) return null;
  const entry = entryOf(found.key, item.sizeBytes, sha256);
  const object = contentName(key, sha256);
  if ((await target.stat(objectKey(object)))?.sizeBytes !== sealedBytes(item.sizeBytes)) return null;
  // The content is verified only once, since a file that stays damaged is part of every backup until a user deals with
  // it.
  if (item.keptSha256 !== sha256 && !(await isComplete(sealed, entry, signal))) return null;
  return { entry, object, newBytes: 0 };
}

async function isComplete(sealed: Keeping['sealed'], entry: FileEntry, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _bytes of abortable(readFile(sealed, entry), signal));
    return true;
  } catch (error) {
    if (error instanceof BackupDamaged) return false;
    throw error;
  }
}

/** Reading the source failed, as opposed to writing to the disk of the backups. */
class ReadFailed extends Error {}

async function readAndKeep(keeping: Keeping): Promise<Kept> {
  const { sealed, source, found, item, existing, signal } = keeping;
  const { target, key } = sealed;
  const incoming = `incoming/${randomUUID()}`;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* read() {
    try {
      // A growing file is read only up to the length it had when it was found.
      for await (const bytes of source.read(found.key, { start: 0, end: found.sizeBytes })) {
        hash.update(bytes as Uint8Array);
        sizeBytes += (bytes as Uint8Array).byteLength;
        yield bytes as Uint8Array;
      }
    } catch (error) {
      throw new ReadFailed('', { cause: error });
    }
  }
  try {
    const stored = await target.put(incoming, seal(key, 'object', abortable(read(), signal)));
    const entry = { key: found.key, sizeBytes, modifiedMs: found.modifiedMs, sha256: hash.digest('hex') };
    // If a recording without a hash no longer has the bytes of an earlier backup, it was changed by the disk.
    const sha256 = item?.sha256 ?? unchangedEntry(existing, found)?.sha256 ?? null;
    const fault = faultOf(entry, item && { ...item, sha256 });
    const good = fault && item && (await goodContent(keeping, item));
    if (good) {
      await target.remove(incoming);
      return { content: good, isGood: true, fault };
    }
    const object = contentName(key, entry.sha256);
    const there = await target.stat(objectKey(object));
    if (existing !== null && there?.sizeBytes === stored.sizeBytes) {
      await target.remove(incoming);
      return { content: { entry, object, newBytes: 0 }, isGood: false, fault };
    }
    await target.move(incoming, objectKey(object));
    return { content: { entry, object, newBytes: stored.sizeBytes }, isGood: false, fault };
  } catch (error) {
    await target.remove(incoming);
    throw error;
  }
}

function faultOf({ sizeBytes, sha256 }: FileEntry, item: StoredFile | null): FoundFault | null {
  if (item === null) return null;
  if (sizeBytes !== item.sizeBytes) return { fault: 'size', foundBytes: sizeBytes };
  return item.sha256 === null || item.sha256 === sha256 ? null : { fault: 'content', foundBytes: sizeBytes };
}
