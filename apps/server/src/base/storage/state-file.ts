import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder, writeAtomic } from './durable.ts';

/**
 * Puts a small file of the server's own state in its place, mode 0600: whole by a rename, so that no reader meets half of
 * it and a crash leaves the old one. One with the same content stays as it is.
 */
export async function putState(path: string, content: string): Promise<void> {
  const existing = await readFile(path, 'utf8').catch(absentIsNull);
  if (existing === content) return chmod(path, 0o600);
  await written(path, content, (temporary) => rename(temporary, path));
}

/** Makes a file of state unless there is one, and returns what it holds then. */
export async function makeState(path: string, content: string): Promise<string> {
  const existing = await readFile(path, 'utf8').catch(absentIsNull);
  if (existing === null) {
    // A link never replaces: of two that make it at once the first counts.
    await written(path, content, (temporary) => link(temporary, path).catch(thereIsFine));
  }
  await chmod(path, 0o600);
  return existing ?? (await readFile(path, 'utf8'));
}

async function written(path: string, content: string, place: (temporary: string) => Promise<void>): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder, folder);
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await writeAtomic(temporary, [Buffer.from(content)]);
    await place(temporary);
    await syncFolder(folder);
  } finally {
    await rm(temporary, { force: true });
  }
}

function absentIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function thereIsFine(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
