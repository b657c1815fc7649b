import { createReadStream } from 'node:fs';
import { link, rename, rm, statfs } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Actor, AppError, type TileFile } from '@osprey/contract';
import { makeFolder, syncFolder, writeAtomic } from '../../base/storage/durable.ts';
import { isOutOfRoom, uploadReserve } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { isComplete, isFinished, type TusStore, type UploadRow } from '../../uploads/tus-store.ts';
import type { TileReader } from './tile-reader.ts';
import { TileFault } from './tile-set.ts';
import { ENDINGS, FILES_MAX, type TileSets } from './tile-sets.ts';

const NAME_MAX = 100;

export type TileFilesDeps = {
  sets: TileSets;
  storage: Storage;
  uploads: TusStore;
  /**
   * Creates a separate reader for one file, so that a long check does not delay the maps. The caller has to close it.
   */
  newReader: () => TileReader;
};

export type TileFiles = ReturnType<typeof tileFiles>;

/** Tile files that administrators add to the folder and remove with the client's page. */
export function tileFiles({ sets, storage, uploads, newReader }: TileFilesDeps) {
  /** @throws TileFault */
  async function judge(row: UploadRow, name: string): Promise<void> {
    const reader = newReader();
    try {
      await reader.judge({ path: storage.path(row.storage_key), name, version: row.id });
    } finally {
      reader.close();
    }
  }

  async function keep(row: UploadRow, name: string): Promise<TileFile> {
    const files = await sets.files();
    if (files.some((file) => file.name === name)) throw nameTaken(name);
    if (files.length >= FILES_MAX) {
      throw new AppError('ruleRefused', { reason: `There are ${FILES_MAX} map layers already. Remove one first.` });
    }
    await judge(row, name);
    await moveIn(storage.path(row.storage_key), { folder: sets.folder, name, sizeBytes: row.size_bytes });
    await uploads.remove(row);
    await sets.lookNow();
    const added = (await sets.files()).find((file) => file.name === name);
    if (added === undefined) throw new AppError('notFound');
    return added;
  }

  return {
    /**
     * Creates a layer from a complete upload. An invalid file is removed; if its name is taken, the upload is kept
     * until it expires.
     *
     * @throws AppError notFound, invalid, badFile, ruleRefused, diskFull
     */
    add: (actor: Actor, uploadId: string): Promise<TileFile> =>
      uploads.alone(uploadId, async () => {
        const row = await uploads.find(uploadId, actor.id);
        if (row === undefined || row.sensor_id !== null || isFinished(row)) throw new AppError('notFound');
        if (!isComplete(row)) throw new AppError('invalid', { upload: 'The upload is not whole yet' });
        try {
          return await keep(row, tileFileName(row.name));
        } catch (error) {
          if (error instanceof TileFault) {
            await uploads.remove(row);
            throw new AppError('badFile', { reason: error.message }, error);
          }
          throw error;
        }
      }),

    /** Removes a file and returns its name. @throws AppError notFound, ruleRefused */
    async remove(id: string): Promise<string> {
      await sets.files();
      const file = sets.fileOf(id);
      await rm(file.path, { force: true }).catch(refuseIn(sets.folder));
      await sets.forget(file);
      await sets.lookNow();
      return file.name;
    },
  };
}

/** Derives the name of an uploaded file in the folder: without a path, and not hidden. @throws AppError badFile */
export function tileFileName(given: string): string {
  const ending = extname(given).toLowerCase();
  if (!ENDINGS.has(ending))
    throw new AppError('badFile', { reason: 'its name ends neither in .mbtiles nor in .pmtiles' });
  const stem = given
    .slice(0, -ending.length)
    .replace(/[^\p{L}\p{N}._() -]/gu, '-')
    .replace(/^[. ]+/, '')
    .slice(0, NAME_MAX)
    .trim();
  return `${stem || 'layer'}${ending}`;
}

const nameTaken = (name: string) =>
  new AppError('ruleRefused', {
    reason: `There is a map layer from the file ${name} already. Remove it first, or give the new file another name.`,
  });

type Place = { folder: string; name: string; sizeBytes: number };

/** Moves a file into the folder, never replacing another one. @throws AppError ruleRefused, diskFull */
async function moveIn(from: string, { folder, name, sizeBytes }: Place): Promise<void> {
  const to = join(folder, name);
  const refuse = refuseIn(folder);
  await makeFolder(folder, folder).catch(refuse);
  try {
    await link(from, to).catch((error) => {
      // A hard link is impossible, since the folder is on another disk or its file system has no hard links.
      if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(error.code)) throw error;
      return copyIn(from, { folder, name, sizeBytes });
    });
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw nameTaken(name);
    refuse(error);
  }
}

async function copyIn(from: string, { folder, name, sizeBytes }: Place): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  if (bavail * bsize - sizeBytes < uploadReserve(blocks * bsize)) throw new AppError('diskFull');
  // The name is hidden, so that no tiles are read from an incomplete file.
  const part = join(folder, `.${name}.part`);
  try {
    await rm(part, { force: true });
    await writeAtomic(part, createReadStream(from));
    await link(part, join(folder, name)).catch((error) => {
      if (error.code === 'EEXIST') throw error;
      return rename(part, join(folder, name));
    });
  } finally {
    await rm(part, { force: true });
  }
}

/** Converts an error of writing into the folder, which may belong to another account of the machine. */
const refuseIn =
  (folder: string) =>
  (error: unknown): never => {
    if (error instanceof AppError) throw error;
    if (isOutOfRoom(error)) throw new AppError('diskFull', {}, error);
    const { code } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code ?? '')) throw error;
    const reason = `The server may not write into the folder ${folder}. Change its owner, or put files there by hand.`;
    throw new AppError('ruleRefused', { reason }, error);
  };
