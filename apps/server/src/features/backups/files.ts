import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { gunzipped } from './gzip.ts';
import { BackupDamaged, contentName, unseal } from './seal.ts';
import { type FileEntry, fileEntry, lines, objectKey, readSealed, type Sealed } from './target.ts';

/**
 * Files that are not backed up: incomplete uploads, derived files, files put aside, the last minutes of live video,
 * logs, and the key itself, which must not be stored next to what it decrypts. The journals of recordings are backed
 * up.
 */
const EXCLUDED = [
  /^files\/(?:uploads|imports|exports|lost)\//,
  // Transport streams of recordings in other containers: as large as their originals.
  /^files\/renditions\/[^/]+\/[^/]+-stream\.ts$/,
  /^live\/ring\//,
  // Versions of the server itself, which come from packages.
  /^releases\//,
  /^live\/[^/]*\.(?:log(?:\.\d+)?|lock)$/,
  /(?:^|\/)\.temporary\//,
  /^keys\/backup\.key$/,
];
/** Directory of recordings and documents in the data directory. */
export const DATA_FILES = 'files';

const KEY = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)+[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

export type DataFolder = {
  storage: Storage;
  /** Every file that belongs in a backup. */
  entries: () => AsyncGenerator<{ key: string; sizeBytes: number; modifiedMs: number }>;
};

/** The data directory of an installation, without the parts that are saved separately: database and backups. */
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
          if (KEY.test(found.key) && !EXCLUDED.some((rule) => rule.test(found.key))) yield found;
        }
      }
    },
  };
}

/** Reads the content list of an earlier backup, by path. A file with the same size and time counts as unchanged. */
export async function existingFiles(sealed: Sealed): Promise<ExistingFiles> {
  const existing = new Map<string, FileEntry>();
  for await (const entry of readEntries(sealed)) existing.set(entry.key, entry);
  return existing;
}

export async function* readEntries(sealed: Sealed): AsyncGenerator<FileEntry> {
  const text = gunzipped(readSealed(sealed, 'files.enc'));
  for await (const line of lines(text)) yield fileEntry.parse(JSON.parse(line));
}

/** Files of an earlier backup by place. */
export type ExistingFiles = ReadonlyMap<string, FileEntry>;

/** Yields the content of a file and checks it against its hash while reading. @throws BackupDamaged */
export async function* readFile(
  { target, key }: Pick<Sealed, 'target' | 'key'>,
  { sha256, sizeBytes }: Pick<FileEntry, 'sha256' | 'sizeBytes'>,
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
