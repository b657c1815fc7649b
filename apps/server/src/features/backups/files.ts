import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { abortable } from './abortable.ts';
import { gunzipped } from './gzip.ts';
import { BackupDamaged, contentName, seal, sealedBytes, unseal } from './seal.ts';
import { type FileEntry, fileEntry, lines, objectKey, readSealed, type Sealed } from './target.ts';

/**
 * Not content: half an upload, what can be made again, what was put aside, the last minutes of live video, logs, and the
 * key itself, which must not lie beside what it opens. The journals of recordings are content.
 */
const LEFT_OUT = [
  /^files\/(?:uploads|imports|exports|lost)\//,
  /^live\/ring\//,
  /^live\/[^/]*\.(?:log(?:\.\d+)?|lock)$/,
  /(?:^|\/)\.temporary\//,
  /^keys\/backup\.key$/,
];
const KEY = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)+[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export type DataFolder = {
  storage: Storage;
  /** Every file that belongs in a backup. */
  entries: () => AsyncGenerator<{ key: string; sizeBytes: number; modifiedMs: number }>;
};

/** The data folder of an installation, but for what lies in it that has its own way: database and backups. */
export function dataFolder(dataDir: string, apart: readonly string[]): DataFolder {
  const storage = folderStorage({ root: dataDir });
  const isApart = (name: string) =>
    apart.some(
      (path) => resolve(path) === resolve(dataDir, name) || resolve(path).startsWith(resolve(dataDir, name) + sep),
    );

  return {
    storage,
    async *entries() {
      for (const entry of await readdir(dataDir, { withFileTypes: true })) {
        if (!entry.isDirectory() || entry.name.startsWith('.') || isApart(entry.name)) continue;
        for await (const found of storage.list(entry.name)) {
          if (KEY.test(found.key) && !LEFT_OUT.some((rule) => rule.test(found.key))) yield found;
        }
      }
    },
  };
}

/** What an earlier backup holds, by place: a file of the same size and time is the same file. */
export async function knownFiles(sealed: Sealed): Promise<KnownFiles> {
  const known = new Map<string, FileEntry>();
  for await (const entry of readEntries(sealed)) known.set(entry.key, entry);
  return known;
}

export async function* readEntries(sealed: Sealed): AsyncGenerator<FileEntry> {
  const text = gunzipped(readSealed(sealed, 'files.enc'));
  for await (const line of lines(text)) yield fileEntry.parse(JSON.parse(line));
}

type Found = { key: string; sizeBytes: number; modifiedMs: number };
export type Kept = { entry: FileEntry; object: string; newBytes: number };

/** Files of an earlier backup by place. */
export type KnownFiles = ReadonlyMap<string, FileEntry>;

export type Keeping = {
  sealed: Pick<Sealed, 'target' | 'key'>;
  source: Storage;
  found: Found;
  /** Null: what lies there is not to be trusted, and is replaced. */
  known: KnownFiles | null;
  signal: AbortSignal;
};

/**
 * Puts one file among the objects, unless its content lies there already. Null for one that is gone meanwhile.
 * It is read once: hashed and sealed in the same pass.
 */
export async function keepFile({ sealed, source, found, known, signal }: Keeping): Promise<Kept | null> {
  const { target, key } = sealed;
  const same = known?.get(found.key);
  if (same && same.sizeBytes === found.sizeBytes && same.modifiedMs === found.modifiedMs) {
    const object = contentName(key, same.sha256);
    const stored = await target.stat(objectKey(object));
    if (stored?.sizeBytes === sealedBytes(same.sizeBytes)) return { entry: same, object, newBytes: 0 };
  }
  const incoming = `incoming/${randomUUID()}`;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* read() {
    // A file that grows is taken as long as it was when it was found.
    for await (const bytes of source.read(found.key, { start: 0, end: found.sizeBytes })) {
      hash.update(bytes as Uint8Array);
      sizeBytes += (bytes as Uint8Array).byteLength;
      yield bytes as Uint8Array;
    }
  }
  try {
    const stored = await target.put(incoming, seal(key, 'object', abortable(read(), signal)));
    const entry = { key: found.key, sizeBytes, modifiedMs: found.modifiedMs, sha256: hash.digest('hex') };
    const object = contentName(key, entry.sha256);
    const there = await target.stat(objectKey(object));
    if (known !== null && there?.sizeBytes === stored.sizeBytes) {
      await target.remove(incoming);
      return { entry, object, newBytes: 0 };
    }
    await target.move(incoming, objectKey(object));
    return { entry, object, newBytes: stored.sizeBytes };
  } catch (error) {
    await target.remove(incoming);
    if ((await source.stat(found.key)) === null) return null;
    throw error;
  }
}

/** Content of a file, checked against its hash while it is read. @throws BackupDamaged */
export async function* readFile(
  { target, key }: Pick<Sealed, 'target' | 'key'>,
  { sha256, sizeBytes }: FileEntry,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of unseal(key, 'object', target.read(objectKey(contentName(key, sha256))))) {
    hash.update(bytes);
    size += bytes.length;
    yield bytes;
  }
  if (size !== sizeBytes || hash.digest('hex') !== sha256) {
    throw new BackupDamaged('A file of the backup does not have the content that was put into it.');
  }
}
