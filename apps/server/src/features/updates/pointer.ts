import { randomUUID } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseVersion, updateResult } from '@osprey/contract';
import { z } from 'zod';
import { makeFolder, moveDurably, writeAtomic } from '../../base/storage/durable.ts';
import { compareVersions } from './manifest.ts';

const FILE = 'current.json';
/** Name of the manifest in a release, written last, so that its presence marks the release as complete. */
export const MARKER = 'release.json';
/** Entry script of a release, and its Node.js binary. */
const MAIN = 'dist/server/main.js';
const NODE = 'node_modules/.bin/node';

const pointer = z.object({
  format: z.literal(1),
  /** Null: the installed version, whichever that is. */
  version: releaseVersion.nullable(),
  /** Present while it is not yet known whether the new version is healthy. */
  trial: z
    .object({
      from: z.string(),
      /** The release that ran before; null for the installed version. */
      previous: releaseVersion.nullable(),
      startedUs: z.int(),
      starts: z.int(),
    })
    .nullable(),
  /**
   * Set if this version is returned to after a failed update: if the new version changed the database schema, the
   * database is restored from a backup made since this time.
   */
  restoreFromUs: z.int().nullable(),
  last: updateResult.nullable(),
});
/** Records which version runs, and the result of the last update. A small file that is replaced by renaming. */
export type Pointer = z.output<typeof pointer>;

export const releasesFolder = (dataDir: string): string => join(dataDir, 'releases');

/** Null if no update was ever made. @throws Error if it cannot be read */
export async function readPointer(dataDir: string): Promise<Pointer | null> {
  const path = join(releasesFolder(dataDir), FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : pointer.parse(JSON.parse(text));
}

export async function writePointer(dataDir: string, content: Pointer): Promise<void> {
  const folder = releasesFolder(dataDir);
  await makeFolder(folder, dataDir);
  const temporary = join(folder, `${FILE}.${randomUUID()}`);
  try {
    await writeAtomic(temporary, [Buffer.from(`${JSON.stringify(content, null, 2)}\n`)]);
    await moveDurably(temporary, join(folder, FILE), dataDir);
  } finally {
    await rm(temporary, { force: true });
  }
}

export type Release = { version: string; main: string; node: string };

/** Returns the release in its folder; null if it is incomplete. */
export async function completeRelease(dataDir: string, version: string): Promise<Release | null> {
  const folder = join(releasesFolder(dataDir), version);
  const marker = await readFile(join(folder, MARKER), 'utf8').catch(() => '');
  const main = join(folder, MAIN);
  const isThere = await stat(main).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isThere || !marker.includes(`"version": "${version}"`)) return null;
  const node = join(folder, NODE);
  const own = await stat(node).catch(() => null);
  return { version, main, node: own === null ? process.execPath : node };
}

/**
 * Returns the release named by the pointer, if it is complete and newer than the installed version: a checkout that was
 * updated by hand takes precedence. `note` receives a line if the pointer exists but is not followed.
 */
export async function pointedRelease(
  dataDir: string,
  installed: string,
  note: (line: string) => void,
): Promise<{ release: Release; pointer: Pointer } | null> {
  try {
    const found = await readPointer(dataDir);
    if (found === null || found.version === null) return null;
    if (compareVersions(found.version, installed) <= 0) {
      note(`Release ${found.version} is not newer than the installed version ${installed}, which starts.`);
      return null;
    }
    const release = await completeRelease(dataDir, found.version);
    if (release !== null) return { release, pointer: found };
    note(`Release ${found.version} is not whole: the installed version ${installed} starts.`);
  } catch (error) {
    note(`The releases cannot be read, and the installed version ${installed} starts: ${(error as Error).message}`);
  }
  return null;
}
