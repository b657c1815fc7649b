import { createHash } from 'node:crypto';
import { constants as fsConstants } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

const NEW_FILE = fsConstants.O_WRONLY | fsConstants.O_CREAT | fsConstants.O_EXCL | fsConstants.O_NOFOLLOW;

/** Writes a new file and syncs it to disk. */
export async function writeAtomic(path: string, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, NEW_FILE, 0o600);
  try {
    for await (const bytes of source) {
      hash.update(bytes);
      await writeAll(file, bytes, sizeBytes);
      sizeBytes += bytes.byteLength;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const step = await file.write(bytes, written, bytes.byteLength - written, position + written);
    written += step.bytesWritten;
  }
}

/** Renames a file so that the new name survives a power failure. Creates missing directories up to `root`. */
export async function moveDurably(from: string, to: string, root: string): Promise<void> {
  await makeFolder(dirname(to), root);
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Creates a directory and syncs its parent, since only then does the directory survive a power failure. */
export async function makeFolder(folder: string, root: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
  if (first.length <= root.length) await syncFolder(root);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, fsConstants.O_RDONLY | fsConstants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
