import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** One that is just ending holds it until its files are whole. */
const WAIT_MS = 10_000;
const AGAIN_MS = 50;
const SQLITE_BUSY = 5;

/** A file of its own: a lock of this kind goes when its process closes the file, however it was opened. */
const lockFile = (dataDir: string): string => join(dataDir, 'live', 'recorder.lock');

/**
 * The lock of the one recorder of a data folder. It is SQLite's on an empty database, which Node can take by itself:
 * the kernel releases it when the process ends, by kill -9 too. Null: another process has it.
 */
function takeLock(dataDir: string): DatabaseSync | null {
  const database = new DatabaseSync(lockFile(dataDir), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/**
 * Waits until no other recorder writes in the folder; returns the function that gives the lock back.
 *
 * @throws Error when the other one stays
 */
export async function lockRecorder({ dataDir, log }: { dataDir: string; log: Logger }): Promise<() => void> {
  const untilMs = performance.now() + WAIT_MS;
  for (;;) {
    try {
      const lock = takeLock(dataDir);
      if (lock !== null) return () => lock.close();
    } catch (error) {
      // A medium that knows no locks is no reason not to record.
      log.warn({ error }, 'the lock of the recorder could not be taken');
      return () => undefined;
    }
    if (performance.now() > untilMs) throw new Error('Another recorder works in this data folder.');
    await delay(AGAIN_MS);
  }
}

/** Whether a recorder lives, also one that does not answer. */
export function isRecorderAlive(dataDir: string): boolean {
  try {
    const lock = takeLock(dataDir);
    lock?.close();
    return lock === null;
  } catch {
    // Neither a folder nor locks: no recorder is known to live.
    return false;
  }
}

/** Pid of the lock's holder, as the kernel has it; null if it is not known, as for a process of another container. */
export async function recorderPid(dataDir: string): Promise<number | null> {
  const { dev, ino } = await stat(lockFile(dataDir));
  // makedev(3): eight bits of the minor number, twelve of the major, the rest of the minor.
  const [major, minor] = [(dev >>> 8) & 0xfff, (dev & 0xff) | ((dev >>> 12) & 0xfff00)];
  const device = [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
  // "1: POSIX  ADVISORY  WRITE 3242 fe:00:2146316 1073741824 1073742335"
  const locked = (await readFile('/proc/locks', 'utf8'))
    .split('\n')
    .map((line) => line.split(/ +/))
    .find((parts) => parts[5] === `${device}:${ino}`);
  const pid = Number(locked?.[4] ?? 0);
  return pid > 0 ? pid : null;
}
