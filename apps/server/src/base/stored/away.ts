import type { Storage } from '../storage/storage.ts';

/** Folders that any stored file makes, and no removal of a file takes away. */
const FOLDERS = ['originals', 'documents'];

/**
 * Whether the disk of stored files is not mounted: then even their folders are missing. Call it only where a file is
 * missing. `below`: path of the storage within the folder that is checked.
 */
export async function isDiskAway(storage: Pick<Storage, 'hasFolder'>, below = ''): Promise<boolean> {
  const found = await Promise.all(FOLDERS.map((folder) => storage.hasFolder(below + folder)));
  return !found.includes(true);
}
