import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Maximum wait for the lock, in milliseconds. A recorder that is shutting down holds the lock until its files are
 * complete.
 */
const WAIT_MS = 10_000;
const RETRY_MS = 50;
const SQLITE_BUSY = 5;

/**
 * Path of the lock file. It is used for nothing else, since a POSIX lock is released as soon as its process closes any
 * descriptor of the file.
 */
const lockFile = (dataDir: string): string => join(dataDir, 'live', 'recorder.lock');

/**
 * Takes the lock that allows only one recorder per data directory; null if another process holds it. It uses SQLite's
 * lock on an empty database, since Node has no file locks of its own. The kernel releases it when the process ends,
 * even after kill -9.
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
 * Waits until no other recorder writes in the directory. Returns the function that releases the lock.
 *
 * @throws Error if the other recorder does not end in time
 */
export async function lockRecorder({ dataDir, log }: { dataDir: string; log: Logger }): Promise<() => void> {
  const untilMs = performance.now() + WAIT_MS;
  for (;;) {
    try {
      const lock = takeLock(dataDir);
      if (lock !== null) return () => lock.close();
    } catch (error) {
      // Recording continues without a lock on file systems that do not support them.
      log.warn({ error }, 'the lock of the recorder could not be taken');
      return () => undefined;
    }
    if (performance.now() > untilMs) throw new Error('Another recorder works in this data folder.');
    await delay(RETRY_MS);
  }
}

/** Whether a recorder process is running, even if it does not respond. */
export function isRecorderAlive(dataDir: string): boolean {
  try {
    const lock = takeLock(dataDir);
    lock?.close();
    return lock === null;
  } catch {
    // The directory does not exist or does not support locks, so no recorder is known to be running.
    return false;
  }
}

/**
 * Returns the process id of the lock's holder as reported by the kernel. Null if it is unknown, for example for a
 * process in another container.
 */
export async function recorderPid(dataDir: string): Promise<number | null> {
  const { dev, ino } = await stat(lockFile(dataDir));
  // Decode makedev(3): from the lowest bit, eight bits of the minor number, twelve of the major, and the remaining bits
  // of the minor.
  const [major, minor] = [(dev >>> 8) & 0xfff, (dev & 0xff) | ((dev >>> 12) & 0xfff00)];
  const device = [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
  // Format of a line: "1: POSIX  ADVISORY  WRITE 3242 fe:00:2146316 1073741824 1073742335"
  const locked = (await readFile('/proc/locks', 'utf8'))
    .split('\n')
    .map((line) => line.split(/ +/))
    .find((parts) => parts[5] === `${device}:${ino}`);
  const pid = Number(locked?.[4] ?? 0);
  return pid > 0 ? pid : null;
}
