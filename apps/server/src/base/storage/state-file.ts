import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder, writeAtomic } from './durable.ts';

/**
 * Writes a small file of the server's own state with mode 0600. The file is replaced by a rename, so that readers never
 * see an incomplete one and a crash leaves the old one intact. A file with the same content is not rewritten.
 */
export async function putState(path: string, content: string): Promise<void> {
  const existing = await readFile(path, 'utf8').catch(absentIsNull);
  if (existing === content) return chmod(path, 0o600);
  await writeAt(path, content, (temporary) => rename(temporary, path));
}

/** Creates a state file unless it exists, and returns its content. */
export async function makeState(path: string, content: string): Promise<string> {
  const existing = await readFile(path, 'utf8').catch(absentIsNull);
  if (existing === null) {
    // A hard link never replaces an existing file, so if two processes create the file simultaneously, the first one
    // wins.
    await writeAt(path, content, (temporary) => link(temporary, path).catch(thereIsFine));
  }
  await chmod(path, 0o600);
  return existing ?? (await readFile(path, 'utf8'));
}

async function writeAt(path: string, content: string, place: (temporary: string) => Promise<void>): Promise<void> {
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
