import type { Storage } from '../storage/storage.ts';

/** Directories that exist as soon as any file is stored, and that remain when files are removed. */
const FOLDERS = ['originals', 'documents'];

/**
 * Whether the disk of stored files is not mounted, in which case even their directories are missing. Call it only when
 * a file is missing. `below` is the path of the storage within the directory that is checked.
 */
export async function isDiskAway(storage: Pick<Storage, 'hasFolder'>, below = ''): Promise<boolean> {
  const found = await Promise.all(FOLDERS.map((folder) => storage.hasFolder(below + folder)));
  return !found.includes(true);
}
