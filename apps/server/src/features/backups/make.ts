import { AppError, PRODUCT_VERSION } from '@osprey/contract';
import type { Storage } from '../../base/storage/storage.ts';
import { isDiskAway } from '../../base/stored/away.ts';
import type { StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import { abortable } from './abortable.ts';
import { confirm, type DamagedFile, expectedFiles, putDamaged } from './damaged.ts';
import { DATA_FILES, type DataFolder, type ExistingFiles, existingFiles } from './files.ts';
import { gzipped } from './gzip.ts';
import { type Kept, keepFile, keepMissing, unchangedEntry } from './keep-file.ts';
import { pickOf } from './sample.ts';
import { backupKeyId, sealedBytes } from './seal.ts';
import { openSnapshot, type Snapshot, type TableShape } from './snapshot.ts';
import {
  type BackupHeader,
  headers,
  type Manifest,
  putSealed,
  readHeader,
  readProof,
  type Sealed,
  setKey,
} from './target.ts';

/** Free space to keep on the disk of the backups, which may be that of the recordings. */
const RESERVE_SHARE = 0.02;
const RESERVE_BYTES = 512 * 1024 ** 2;
/**
 * Share of the unchanged files that is read anyway, since a disk may return other bytes while size and time stay the
 * same.
 */
const REREAD_SHARE = 0.01;

export type Making = {
  target: Storage;
  key: Buffer;
  /** URL for a database role that may read all tables. */
  databaseUrl: string;
  /** The data directory; null to back up only the database. */
  data: DataFolder | null;
  /** Rows of stored files. Files found damaged, or undamaged again, are marked in them. */
  stored: StoredFiles | null;
  name: string;
  origin: BackupHeader['origin'];
  nowUs: () => number;
  /** Share of the unchanged files that is read; tests set another value. */
  readAgainShare?: number;
  /** Reports the progress, 0 to 100. */
  progress: (percent: number) => void;
  signal: AbortSignal;
};

type Written = {
  bytes: number;
  newBytes: number;
  count: number;
  contentBytes: number;
  damaged: DamagedFile[];
  /** Number of files with the size and time of an earlier backup, and how many of them were read anyway. */
  unchanged: { files: number; read: number };
  /** Files that were marked as damaged but now agree with their database rows. */
  mended: StoredFile[];
};

/**
 * Makes a backup. It counts as existing once its header is written, which happens last. The remains of a failed backup
 * are removed.
 */
export async function makeBackup(making: Making): Promise<BackupHeader> {
  const { target, key, name, origin, data, nowUs } = making;
  const sealed: Sealed = { target, key, name };
  try {
    const existing = data === null ? null : await filesBefore(making);
    const seen = await lookAtFiles(making, existing);
    const snapshot = await openSnapshot(making.databaseUrl);
    const database = await dump(sealed, snapshot, making.signal).finally(snapshot.close);
    const files = data === null ? none() : await copyFiles(making, sealed, existing, seen);
    const content: Manifest = {
      name,
      schemaVersion: snapshot.schemaVersion,
      tables: database.tables,
      files: { count: files.count, bytes: files.contentBytes },
    };
    await putSealed(sealed, 'manifest.enc', text(JSON.stringify(content)));
    const made: BackupHeader = {
      format: 1,
      name,
      origin,
      created: nowUs(),
      product: PRODUCT_VERSION,
      schemaVersion: snapshot.schemaVersion,
      keyId: backupKeyId(key),
      withFiles: data !== null,
      sizeBytes: database.bytes + files.bytes,
      newBytes: database.bytes + files.newBytes,
      rows: database.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files.count,
      ...(data !== null && { unchanged: files.unchanged }),
      ...(files.damaged.length > 0 && { damaged: files.damaged.length }),
    };
    await putDamaged(target, name, files.damaged);
    await mark(making, files);
    await target.put(setKey(name, 'backup.json'), [Buffer.from(JSON.stringify(made, null, 2))]);
    return made;
  } catch (error) {
    if ((await readHeader(target, name).catch(() => null)) === null) {
      await target.removeAll(`sets/${name}`).catch(() => undefined);
    }
    throw error;
  }
}

const none = (): Written => ({
  ...{ bytes: 0, newBytes: 0, count: 0, contentBytes: 0, damaged: [], mended: [] },
  unchanged: { files: 0, read: 0 },
});

/** Marks damaged files before the backup is completed, since an incomplete backup must never appear complete. */
async function mark({ stored }: Making, { damaged, mended }: Written): Promise<void> {
  for (const { noun, id, ...found } of damaged) await stored?.damaged({ noun, id }, found);
  for (const item of mended) await stored?.whole(item);
}

type Seen = { bytes: number; unchanged: number };

/**
 * Determines the total size of all files, and the number of unchanged ones.
 *
 * @throws AppError diskFull if too little space would remain free
 * @throws SourceAway if the disk of stored files is missing, in which case all of them would count as lost
 */
async function lookAtFiles({ target, data, stored }: Making, existing: ExistingFiles | null): Promise<Seen> {
  const seen: Seen = { bytes: 0, unchanged: 0 };
  if (data !== null && stored !== null && (await isDiskAway(data.storage, `${DATA_FILES}/`))) {
    if ((await stored.totalBytes()) > 0) throw new SourceAway();
  }
  if (data !== null) {
    for await (const found of data.entries()) {
      seen.bytes += found.sizeBytes;
      if (unchangedEntry(existing, found) !== null) seen.unchanged += 1;
    }
  }
  await checkSpace(target, 0);
  return seen;
}

/** Ends a backup because the disk of stored files is missing. The message is for people. */
export class SourceAway extends Error {
  override name = 'SourceAway';
  override message = 'The disk of recordings and documents is not there. Mount it, and make the backup again.';
}

/** @throws AppError diskFull */
async function checkSpace(target: Storage, bytes: number): Promise<void> {
  const { freeBytes, totalBytes } = await target.space();
  if (freeBytes - bytes < Math.max(RESERVE_BYTES, totalBytes * RESERVE_SHARE)) throw new AppError('diskFull');
}

async function dump(sealed: Sealed, snapshot: Snapshot, signal: AbortSignal) {
  const tables: (TableShape & { rows: number })[] = [];
  let bytes = 0;
  for (const table of snapshot.tables) {
    const { stream, rows } = snapshot.copy(table);
    const sent = await putSealed(sealed, `tables/${table.name}.enc`, abortable(gzipped(stream), signal));
    bytes += sent.sizeBytes;
    tables.push({ ...table, rows: rows() });
  }
  return { tables, bytes };
}

/** Copies the files that no earlier backup contains, and lists all files. */
async function copyFiles(making: Making, sealed: Sealed, existing: ExistingFiles | null, all: Seen): Promise<Written> {
  const { target, data, stored, progress, signal, readAgainShare = REREAD_SHARE } = making;
  const pick = pickOf(Math.ceil(all.unchanged * readAgainShare), all.unchanged);
  const expected = stored === null ? new Map<string, StoredFile>() : await expectedFiles(stored);
  const written = none();
  const objects: string[] = [];
  let seen = 0;

  function isReadAgain(): boolean {
    const isPicked = pick();
    written.unchanged.files += 1;
    if (isPicked) written.unchanged.read += 1;
    return isPicked;
  }

  async function store(key: string, item: StoredFile | null, { content, isGood, fault }: Kept): Promise<Buffer[]> {
    if (item !== null && fault !== null) {
      const found = await confirm(stored!, data!.storage, { item, key, found: fault });
      if (found !== null && !(item.isAccepted && item.fault === found.fault)) {
        const { noun, id, sizeBytes } = item;
        const keptSha256 = isGood && content !== null ? content.entry.sha256 : null;
        written.damaged.push({ noun, id, key, sizeBytes, keptSha256, ...found });
      }
    } else if (item !== null && item.fault !== null && item.sha256 !== null && !item.isAccepted) {
      written.mended.push(item);
    }
    if (content === null) return [];
    const { entry, object, newBytes } = content;
    objects.push(object);
    written.count += 1;
    written.contentBytes += entry.sizeBytes;
    written.newBytes += newBytes;
    written.bytes += sealedBytes(entry.sizeBytes);
    return [Buffer.from(`${JSON.stringify(entry)}\n`)];
  }

  async function* listing() {
    for await (const found of data!.entries()) {
      signal.throwIfAborted();
      await checkSpace(target, found.sizeBytes);
      const item = expected.get(found.key) ?? null;
      const retained = await keepFile({ sealed, source: data!.storage, found, item, existing, isReadAgain, signal });
      seen += found.sizeBytes;
      progress(all.bytes === 0 ? 100 : Math.min(99, (100 * seen) / all.bytes));
      if (retained === null) continue;
      expected.delete(found.key);
      yield* await store(found.key, item, retained);
    }
    // Files that are not in the directory: deleted meanwhile, or lost.
    for (const [key, item] of expected) {
      signal.throwIfAborted();
      if ((await stored?.read(item)) === null) continue;
      yield* await store(key, item, await keepMissing({ sealed, existing, found: { key }, signal }, item));
    }
  }

  await putSealed(sealed, 'files.enc', gzipped(listing()));
  const sorted = [...new Set(objects)].sort();
  await target.put(
    setKey(sealed.name, 'objects.list'),
    sorted.map((one) => Buffer.from(`${one}\n`)),
  );
  return written;
}

/**
 * Reads the files of the newest backup made with the same key. Null if a backup was found damaged; every file is then
 * read and stored again.
 */
async function filesBefore({ target, key }: Making): Promise<ExistingFiles | null> {
  const all = await headers(target);
  const proofs = await Promise.all(all.map(({ name }) => readProof(target, name)));
  if (proofs.some((one) => one !== null && one.error !== null)) return null;
  const last = all.find((one) => one.withFiles && one.keyId === backupKeyId(key));
  return last ? existingFiles({ target, key, name: last.name }) : new Map();
}

async function* text(content: string) {
  yield Buffer.from(content);
}
