import { backupName, backupOrigins } from '@osprey/contract';
import { z } from 'zod';
import type { Storage } from '../../base/storage/storage.ts';
import { seal, unseal } from './seal.ts';

/**
 * Layout of a backup in its folder:
 *
 * - `sets/{name}/backup.json`: facts that may be known without the key. Written last: a set without it is no backup
 * - `sets/{name}/manifest.enc`, `tables/{table}.enc`, `files.enc`: sealed
 * - `sets/{name}/objects.list`: names of the objects it needs, sorted
 * - `sets/{name}/damaged.list`: stored files that differed from their rows; absent if there were none
 * - `sets/{name}/verified.json`: result of the last proof
 * - `objects/{2}/{name}`: content of files, sealed, once for all sets
 * - `incoming/`: objects that are being written
 */
export const header = z.object({
  format: z.literal(1),
  name: z.string(),
  origin: z.enum(backupOrigins),
  /** Time of creation, in UTC microseconds. */
  created: z.int(),
  product: z.string(),
  schemaVersion: z.string(),
  keyId: z.string(),
  /** False if it contains only the database, as before a migration. */
  withFiles: z.boolean(),
  sizeBytes: z.int(),
  newBytes: z.int(),
  rows: z.int(),
  files: z.int(),
  /** Number of files reused from an earlier backup as unchanged, and how many of those were read anyway. */
  unchanged: z.object({ files: z.int(), read: z.int() }).optional(),
  /** Number of stored files that were damaged at that time; absent if there were none. */
  damaged: z.int().optional(),
});
export type BackupHeader = z.output<typeof header>;

export const proof = z.object({ time: z.int(), error: z.string().nullable() });
export type BackupProof = z.output<typeof proof>;

export const manifest = z.object({
  name: z.string(),
  schemaVersion: z.string(),
  /** Tables in an order in which they can be filled: referenced tables come first. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
  files: z.object({ count: z.int(), bytes: z.int() }),
});
export type Manifest = z.output<typeof manifest>;

/** A file of the data directory. */
export const fileEntry = z.object({
  key: z.string(),
  sizeBytes: z.int(),
  modifiedMs: z.number(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type FileEntry = z.output<typeof fileEntry>;

export const setKey = (name: string, file: string): string => `sets/${name}/${file}`;
export const objectKey = (name: string): string => `objects/${name.slice(0, 2)}/${name}`;

export type Sealed = { target: Storage; key: Buffer; name: string };

/** Stores one file of a set, encrypted for its own path. */
export const putSealed = ({ target, key, name }: Sealed, file: string, source: AsyncIterable<Uint8Array>) =>
  target.put(setKey(name, file), seal(key, setKey(name, file), source));

export const readSealed = ({ target, key, name }: Sealed, file: string): AsyncGenerator<Buffer> =>
  unseal(key, setKey(name, file), target.read(setKey(name, file)));

export async function readManifest(sealed: Sealed): Promise<Manifest> {
  return manifest.parse(JSON.parse(String(await readAll(readSealed(sealed, 'manifest.enc')))));
}

/**
 * Whether a backup contains files. Its header alone is not trusted: it is not authenticated, so an attacker with access
 * to the disk of the backups could make it state that there are none.
 */
export const holdsFiles = ({ withFiles }: BackupHeader, { files }: Manifest): boolean => withFiles || files.count > 0;

/** Whether a backup was completed, even if its header can no longer be read. */
export const isFinished = async (target: Storage, name: string): Promise<boolean> =>
  (await target.stat(setKey(name, 'backup.json'))) !== null;

/** Reads the header of a backup. Null where there is no such backup, or its header is damaged or of a later version. */
export async function readHeader(target: Storage, name: string): Promise<BackupHeader | null> {
  const parsed = header.safeParse(await readJson(target, setKey(name, 'backup.json')));
  return parsed.success && parsed.data.name === name ? parsed.data : null;
}

export async function readProof(target: Storage, name: string): Promise<BackupProof | null> {
  const parsed = proof.safeParse(await readJson(target, setKey(name, 'verified.json')));
  return parsed.success ? parsed.data : null;
}

/** Names of the sets, finished or not; newest first. */
export async function setNames(target: Storage): Promise<string[]> {
  const names = new Set<string>();
  for await (const { key } of target.list('sets')) names.add(key.split('/')[1] ?? '');
  return [...names].sort().reverse();
}

/**
 * Lists the names of existing backups, so that a new backup gets a different one. Empty if the directory does not
 * respond; making the backup itself will then fail.
 */
export const takenNames = async (target: Storage): Promise<Set<string>> =>
  new Set(await setNames(target).catch(() => []));

/** Reads the headers of all whole backups, the newest first. */
export async function headers(target: Storage): Promise<BackupHeader[]> {
  const found = await Promise.all((await setNames(target)).map((name) => readHeader(target, name)));
  return found.filter((one) => one !== null).sort((a, b) => b.created - a.created);
}

/** Names of finished backups whose header cannot be read. */
export async function unreadable(target: Storage): Promise<string[]> {
  const names: string[] = [];
  for (const name of await setNames(target)) {
    if (!backupName.safeParse(name).success) continue;
    if ((await isFinished(target, name)) && (await readHeader(target, name)) === null) names.push(name);
  }
  return names;
}

/** Yields the lines of a text stream, without their line ends. */
export async function* lines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of source) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

export async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

async function readJson(target: Storage, key: string): Promise<unknown> {
  if ((await target.stat(key)) === null) return null;
  try {
    return JSON.parse(String(await readAll(target.read(key))));
  } catch (error) {
    // A damaged file must not hide the others.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
