import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { putState } from '../../base/storage/state-file.ts';

/** Marker file in a backup directory. A mount point whose disk is missing is an empty directory without it. */
const MARK = 'osprey-backups';
const MARK_TEXT =
  'Osprey keeps backups in this folder. Without this file it does not believe that the disk is there.\n';
/**
 * File in the data directory that records the backup directory last used. It is not part of a backup, so another
 * machine starts without it.
 */
const LAST_USED = 'backup-folder';

const DISK_CODES = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENXIO', 'ENODEV', 'ENOENT', 'ENOTDIR', 'EEXIST'],
  ...['ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT'],
]);

export type BackupFolder = {
  /** False if there were backups here before but no marker file shows that this is the same disk. Changes nothing. */
  isThere: () => Promise<boolean>;
  /** Must be called before anything is done in the directory. @throws BackupFolderAway */
  use: () => Promise<void>;
};

/** Explains to people what is wrong, and what to do if the change is intended. */
export class BackupFolderAway extends Error {
  override name = 'BackupFolderAway';

  constructor(folder: string) {
    super(
      `${folder} is not the folder that held the backups: is its disk mounted? ` +
        `If this is a new disk for them, make an empty file ${MARK} in it.`,
    );
  }
}

/** Distinguishes the directory of earlier backups from the empty mount point of a missing disk. */
export function backupFolder({ folder, dataDir }: { folder: string; dataDir: string }): BackupFolder {
  const [mark, lastUsed] = [join(folder, MARK), join(dataDir, LAST_USED)];

  async function usedBefore(): Promise<boolean> {
    const text = await readFile(lastUsed, 'utf8').catch(absentIsNull);
    return text?.trim() === folder;
  }

  /** A directory with backups from before marker files existed counts as marked. */
  const isMarked = async () => (await isPresent(mark)) || (await isPresent(join(folder, 'sets')));
  const isThere = async () => (await isMarked()) || !(await usedBefore());

  return {
    isThere,
    async use() {
      if (!(await isThere())) throw new BackupFolderAway(folder);
      if (!(await isPresent(mark))) {
        await putState(mark, MARK_TEXT);
      }
      if (!(await usedBefore())) await putState(lastUsed, `${folder}\n`);
    },
  };
}

/** Returns a text for people about a failing directory; null for other errors. */
export function folderTrouble(error: unknown): string | null {
  if (error instanceof BackupFolderAway) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && DISK_CODES.has(code) ? `The folder of the backups cannot be used (${code}).` : null;
}

const isPresent = async (path: string): Promise<boolean> => (await stat(path).catch(absentIsNull)) !== null;

function absentIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
