import { AppError } from '@osprey/contract';
import { keptHashOf, type StoredFile, type StoredFiles } from '../../base/stored/stored-files.ts';
import { abortable } from './abortable.ts';
import { DATA_FILES, type DataFolder, readFile } from './files.ts';
import { contentName, sealedBytes } from './seal.ts';
import { objectKey, type Sealed } from './target.ts';

/** Free space to keep on the disk of the recordings. */
const RESERVE_BYTES = 512 * 1024 ** 2;

type Held = Pick<Sealed, 'target' | 'key'>;

/**
 * Whether the backups contain the content that was stored, according to their lists; the content itself is not read.
 */
export async function isHeld({ target, key }: Held, item: StoredFile): Promise<boolean> {
  const sha256 = keptHashOf(item);
  if (sha256 === null) return false;
  const retained = await target.stat(objectKey(contentName(key, sha256)));
  return retained?.sizeBytes === sealedBytes(item.sizeBytes);
}

export type PuttingBack = Held & {
  data: DataFolder;
  stored: Pick<StoredFiles, 'find' | 'whole' | 'hashed'>;
  /** Id of the file or document. */
  id: string;
  /** Reports the progress, 0 to 100. */
  progress: (percent: number) => void;
  signal: AbortSignal;
};

/**
 * Restores the undamaged content of one stored file. The content is checked while it is written, and replaces the
 * damaged file only when it is complete.
 *
 * @throws AppError notFound, fileMissing if no backup contains it, diskFull
 * @throws BackupDamaged
 */
export async function putBack({ data, stored, id, progress, signal, ...held }: PuttingBack): Promise<StoredFile> {
  const item = await stored.find(id);
  if (item === null) throw new AppError('notFound');
  const sha256 = keptHashOf(item);
  if (sha256 === null || !(await isHeld(held, item))) throw new AppError('fileMissing');
  const { sizeBytes } = item;
  const { freeBytes } = await data.storage.space();
  if (freeBytes - sizeBytes < RESERVE_BYTES) throw new AppError('diskFull');
  let written = 0;
  async function* counted() {
    for await (const bytes of readFile(held, { sha256: sha256!, sizeBytes })) {
      written += bytes.length;
      progress(sizeBytes === 0 ? 100 : (100 * written) / sizeBytes);
      yield bytes;
    }
  }
  await data.storage.put(`${DATA_FILES}/${item.storageKey}`, abortable(counted(), signal));
  if (item.sha256 === null) await stored.hashed(item.id, sha256);
  await stored.whole(item);
  return item;
}
