import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { putState } from '../../base/storage/state-file.ts';

/** Mark in a folder of backups: a mount point whose disk is away is an empty folder without it. */
const MARK = 'osprey-backups';
const MARK_TEXT =
  'Osprey keeps backups in this folder. Without this file it does not believe that the disk is there.\n';
/** In the data folder, and not part of a backup: another machine starts without it. */
const LAST_USED = 'backup-folder';

const DISK_CODES = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENXIO', 'ENODEV', 'ENOENT', 'ENOTDIR', 'EEXIST'],
  ...['ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT'],
]);

export type BackupFolder = {
  /** False if there were backups here before and no mark shows that this is the same disk. Changes nothing. */
  isThere: () => Promise<boolean>;
  /** To be called before anything is done in it. @throws BackupFolderAway */
  use: () => Promise<void>;
};

/** For people: what is wrong, and what to do where it is meant. */
export class BackupFolderAway extends Error {
  override name = 'BackupFolderAway';

  constructor(folder: string) {
    super(
      `${folder} is not the folder that held the backups: is its disk mounted? ` +
        `If this is a new disk for them, make an empty file ${MARK} in it.`,
    );
  }
}

/** Whether the folder is that of earlier backups, and not the empty mount point of a missing disk. */
export function backupFolder({ folder, dataDir }: { folder: string; dataDir: string }): BackupFolder {
  const [mark, lastUsed] = [join(folder, MARK), join(dataDir, LAST_USED)];

  async function usedBefore(): Promise<boolean> {
    const text = await readFile(lastUsed, 'utf8').catch(absentIsNull);
    return text?.trim() === folder;
  }

  /** Backups from before there were marks count as one. */
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

/** Text for people about a failing folder; null for another error. */
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
