import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder that Linux keeps only in memory. */
const MEMORY = '/dev/shm';
/** Required free space in bytes: many times the size of all databases that one run has at a time. */
const ROOM = 4 * 1024 ** 3;

/**
 * Returns the folder in which tests create databases: in memory if there is enough room, otherwise in the folder for
 * temporary files. A database consists of a thousand small files, and most tests keep theirs for only a second; on a
 * disk, creating and removing them took a quarter of the processor time.
 */
export function databaseRoot(): string {
  return hasRoom() && mayRunPrograms() ? MEMORY : tmpdir();
}

/**
 * Removes databases left by killed runs, since memory is scarce. Their names consist of `start` and the pid of their
 * process.
 */
export async function removeLeftOver(start: string): Promise<void> {
  const root = databaseRoot();
  for (const name of await readdir(root)) {
    if (!name.startsWith(start)) continue;
    const pid = Number.parseInt(name.slice(start.length), 10);
    if (pid > 0 && !existsSync(`/proc/${pid}`)) await rm(join(root, name), { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/**
 * Whether programs may be executed in the memory folder: PostgreSQL's programs are copied next to its cluster if its
 * account cannot access the checkout.
 */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, folder]) => folder === MEMORY)?.[3];
  return options?.split(',').includes('noexec') === false;
}
