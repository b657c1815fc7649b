import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoredCheck } from '../../base/db/settings.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { isMediumError, lengthFault } from '../../base/stored/note-damage.ts';
import type { FoundFault, StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import { type Pace, readingPace } from './pace.ts';

const DAY_US = 24 * 3600 * 1_000_000;
/** Number of missing files in a batch from which a common cause is assumed. */
const MANY = 10;
/** Number of bytes between two pauses, at which running recordings are checked for. */
const STEP_BYTES = 4 * 1024 * 1024;
const BATCH = 100;
const PROGRESS_MS = 5000;

export type ReadAgainDeps = {
  storage: Pick<Storage, 'read' | 'stat'>;
  stored: StoredFiles;
  /** Stored state of the check; it survives restarts. */
  state: { read: () => Promise<StoredCheck | null>; write: (state: StoredCheck) => Promise<void> };
  /** Returns whether something is being recorded now. */
  isRecording: () => Promise<boolean>;
  /** Number of days within which all stored bytes are read again. */
  days: number;
  /** Returns whether the disk of the files is unavailable: then no file is read, and none counts as missing. */
  isAway: () => Promise<boolean>;
  /** Called when many files are missing, so that all of them are marked together. */
  compare: () => Promise<void>;
  /** Called when a file was found damaged (with the fault), or is intact again (with null). */
  reported: (item: StoredFile, found: FoundFault | null) => Promise<void>;
  nowUs: () => number;
  nowMs: () => number;
  /** Waits this many milliseconds. @throws when the signal is aborted */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

export type ReadingAgain = {
  /** Hashes new files that have no hash yet; then, once a day, reads that day's share of the stored files. */
  look: () => Promise<void>;
  stop: () => void;
};

const waitFor = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });

/**
 * Reads all stored files again over time, longest unread first, so that a failing disk is noticed while a backup still
 * holds the data that it lost. Each day a share is read, so that all bytes are read within `days`. Recordings that were
 * not hashed while being written are hashed as well.
 */
export function readingAgain(deps: ReadAgainDeps): ReadingAgain {
  const { storage, stored, state, nowUs, nowMs, wait = waitFor } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function readDue(): Promise<void> {
    try {
      if (await deps.isAway()) return;
      await hashNew();
      if (await isDue()) await readShare();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function hashNew(): Promise<void> {
    // A file that cannot be read is marked as damaged, and `notHashed` does not return it again.
    for (let batch = await stored.notHashed(BATCH); batch.length > 0; batch = await stored.notHashed(BATCH)) {
      const pace = paceOf({ bytes: 0, since: nowUs() });
      for (const item of batch) await check(item, pace);
    }
  }

  async function isDue(): Promise<boolean> {
    const last = await state.read();
    if (last === null) return true;
    // An interrupted check starts again. The absolute difference is used, so that a clock that was set back does not
    // delay the next check.
    return last.ended === null || Math.abs(nowUs() - last.started) >= DAY_US;
  }

  async function readShare(): Promise<void> {
    // The share assumes one day less than available, since each daily check begins a little later than the one before.
    const bytes = Math.ceil((await stored.totalBytes()) / (deps.days - 1));
    const before = await state.read();
    const since = before?.ended === null ? before.started : nowUs();
    const round: StoredCheck = { started: since, ended: null, files: 0, bytes: 0, wantedBytes: bytes, damaged: 0 };
    await state.write(round);
    const pace = paceOf({ bytes, since });
    let reportedMs = nowMs();
    while (round.bytes < bytes) {
      const batch = await stored.longestUnread(BATCH, round.started);
      if ((await missingOf(batch)) >= MANY) await deps.compare();
      // The check starts again when the disk is available again.
      if (await deps.isAway()) return;
      for (const item of batch) {
        if (round.bytes >= bytes) break;
        if ((await check(item, pace)) !== null) round.damaged += 1;
        round.files += 1;
        round.bytes += item.sizeBytes;
        if (nowMs() - reportedMs < PROGRESS_MS) continue;
        reportedMs = nowMs();
        await state.write(round);
      }
      if (batch.length === 0) break;
    }
    await state.write({ ...round, ended: nowUs() });
  }

  async function missingOf(batch: readonly StoredFile[]): Promise<number> {
    const found = await Promise.all(batch.map((item) => lengthFault(storage, item)));
    return found.filter((one) => one?.fault === 'missing').length;
  }

  const paceOf = (share: { bytes: number; since: number }): Pace =>
    readingPace({ share, isRecording: deps.isRecording, nowUs, nowMs, wait: (ms) => wait(ms, signal) });

  /** Checks a file and returns its fault; null if it is intact. */
  async function check(item: StoredFile, pace: Pace): Promise<FoundFault | null> {
    const read = await readAll(item, pace);
    if (typeof read !== 'string') {
      if (await stored.damaged(item, read)) await deps.reported(item, read);
      return read;
    }
    if (item.sha256 === null) await stored.hashed(item.id, read);
    else if (item.sha256 !== read) {
      const found: FoundFault = { fault: 'content', foundBytes: item.sizeBytes };
      if (await stored.damaged(item, found)) await deps.reported(item, found);
      return found;
    }
    if (await stored.whole(item)) await deps.reported(item, null);
    return null;
  }

  /** Reads the whole file and returns its SHA-256, or its fault. */
  async function readAll(item: StoredFile, pace: Pace): Promise<string | FoundFault> {
    const wrong = await lengthFault(storage, item);
    if (wrong !== null) return wrong;
    const hash = createHash('sha256');
    let step = 0;
    try {
      await pace.begin();
      for await (const bytes of storage.read(item.storageKey) as AsyncIterable<Uint8Array>) {
        hash.update(bytes);
        step += bytes.byteLength;
        if (step < STEP_BYTES) continue;
        await pace.after(step);
        step = 0;
      }
      await pace.after(step);
    } catch (error) {
      if (error instanceof NotStored) return { fault: 'missing', foundBytes: null };
      if (isMediumError(error)) return { fault: 'unreadable', foundBytes: item.sizeBytes };
      throw error;
    }
    return hash.digest('hex');
  }

  return { look: readDue, stop: () => stopping.abort(new Error('The server stops')) };
}
