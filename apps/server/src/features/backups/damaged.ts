import { z } from 'zod';
import type { Storage } from '../../base/storage/storage.ts';
import { lengthFault } from '../../base/stored/note-damage.ts';
import type { FoundFault, StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import { DATA_FILES } from './files.ts';
import { type BackupHeader, lines, setKey } from './target.ts';

/** One stored file that was not what its row says when a backup was made: a line of `damaged.list`. */
const damagedFile = z.object({
  noun: z.enum(['files', 'documents']),
  id: z.string(),
  /** Path of the damaged file in the data folder. */
  key: z.string(),
  fault: z.enum(['missing', 'size', 'content', 'unreadable']),
  foundBytes: z.int().nullable(),
  sizeBytes: z.int(),
  /** SHA-256 of the undamaged content that the backup contains instead; null if no backup has it. */
  keptSha256: z.string().nullable(),
});
export type DamagedFile = z.output<typeof damagedFile>;

const LIST = 'damaged.list';

export async function putDamaged(target: Storage, name: string, found: readonly DamagedFile[]): Promise<void> {
  if (found.length === 0) return;
  await target.put(
    setKey(name, LIST),
    found.map((one) => Buffer.from(`${JSON.stringify(one)}\n`)),
  );
}

/** Files that were damaged when this backup was made. */
export async function readDamaged(target: Storage, name: string): Promise<DamagedFile[]> {
  if ((await target.stat(setKey(name, LIST))) === null) return [];
  const found: DamagedFile[] = [];
  for await (const line of lines(target.read(setKey(name, LIST)))) found.push(damagedFile.parse(JSON.parse(line)));
  return found;
}

/**
 * Returns the number of files damaged in a backup that are still neither restored, accepted as lost nor deleted. `open`
 * contains the ids of all such files.
 */
export async function openDamage(
  target: Storage,
  { name, damaged = 0 }: Pick<BackupHeader, 'name' | 'damaged'>,
  open: ReadonlySet<string>,
): Promise<number> {
  if (damaged === 0 || open.size === 0) return 0;
  return (await readDamaged(target, name)).filter(({ id }) => open.has(id)).length;
}

/** Sentence about damaged files, for people. */
export const damagedText = (count: number): string =>
  `${count === 1 ? 'One stored file of the server is' : `${count} stored files of the server are`} damaged. ` +
  'Restore them or accept their loss on the page Backups.';

/** Files that must be in the data folder, by place. */
export async function expectedFiles(stored: Pick<StoredFiles, 'all'>): Promise<Map<string, StoredFile>> {
  const expected = new Map<string, StoredFile>();
  for await (const item of stored.all()) expected.set(`${DATA_FILES}/${item.storageKey}`, item);
  return expected;
}

/** Checks a damaged file again; null where it was deleted meanwhile, or is undamaged after all. */
export async function confirm(
  stored: Pick<StoredFiles, 'read'>,
  storage: Storage,
  { item, key, found }: { item: StoredFile; key: string; found: FoundFault },
): Promise<FoundFault | null> {
  const now = await stored.read(item);
  if (now === null) return null;
  const length = await lengthFault(storage, { storageKey: key, sizeBytes: now.sizeBytes });
  if (length !== null) return length;
  return found.fault === 'missing' || found.fault === 'size' ? null : found;
}
