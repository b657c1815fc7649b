import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps here what is in memory alone. */
const MEMORY = '/dev/shm';
/** Bytes: many times of what the databases of one run hold at a time. */
const ROOM = 4 * 1024 ** 3;

/**
 * Where tests make databases: in memory where there is room for them, else with all that is temporary. A database is a
 * thousand small files, and most tests keep theirs for a second; on a disk, making and removing them took a quarter of
 * the processors' time.
 */
export function databaseRoot(): string {
  return hasRoom() && mayRunPrograms() ? MEMORY : tmpdir();
}

/**
 * Removes databases of runs that were killed, since memory is dear. Names continue after `start` with the pid of their
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

/** PostgreSQL's programs are copied to its cluster where its account cannot enter the checkout. */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, folder]) => folder === MEMORY)?.[3];
  return options?.split(',').includes('noexec') === false;
}
