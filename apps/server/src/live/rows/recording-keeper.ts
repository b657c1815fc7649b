import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';
import { forgottenRecordings } from './forgotten-recordings.ts';
import type { RecorderMirror } from './mirror.ts';
import type { RecordingNotes } from './recording-notes.ts';
import { type RecordingRowDeps, type RowsWritten, writeRecording } from './recording-rows.ts';

/** Retry interval while the database is unavailable, in milliseconds. */
const RETRY_MS = 1000;

export type RecordingKeeperDeps = RecordingRowDeps & {
  db: Kysely<Database>;
  storage: Storage;
  mirror: RecorderMirror;
  changed: Changed;
  notes: RecordingNotes;
  /** Called after the commit. `first`: this was the first write for the mission since the recorder connected. */
  written: (recording: Recording, rows: RowsWritten & { first: boolean }) => void;
  /**
   * Called when the rows of a mission that has just begun could not be written, so that its rights are unknown. The
   * write is retried.
   */
  unwritten: (recording: Recording) => void;
  log: { warn: (fields: object, text: string) => void };
};

export type RecordingKeeper = ReturnType<typeof recordingKeeper>;

/**
 * Writes the rows of recordings from their journals, one mission at a time, and retries until it succeeds. Journals
 * contain everything that happened while the database or this process was down, so that it is written afterwards, once.
 * A mission that is recording according to its row but has no journal is ended.
 */
export function recordingKeeper(deps: RecordingKeeperDeps) {
  const { db, mirror, log } = deps;
  const waiting = new Map<string, Recording>();
  /** Digest of the recording whose rows were last written, by mission id. */
  const done = new Map<string, string>();
  /** Calls that wait for the rows of their mission. */
  const pending = new Map<string, (() => void)[]>();
  /** True if the recorder has sent its state, so that missions without a journal must be searched for. */
  let isGreeted = false;
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const unsubscribe = mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'hello') {
        done.clear();
        isGreeted = true;
      }
      const journalled =
        message.kind === 'hello' ? message.recordings : message.kind === 'recording' ? [message.recording] : [];
      for (const recording of journalled) {
        if (done.get(recording.missionId) !== essenceOf(recording)) waiting.set(recording.missionId, recording);
      }
      if (waiting.size > 0 || isGreeted) working ??= work();
    },
  });

  async function work(): Promise<void> {
    do {
      if (isGreeted && !(await takeForgotten())) return;
      if (!(await writeAll())) return;
      // The recorder may have sent its state while rows were written.
    } while (isGreeted && !closed);
    working = null;
  }

  /** Writes all waiting recordings. Returns false if a retry is scheduled. */
  async function writeAll(): Promise<boolean> {
    for (const recording of waiting.values()) {
      if (closed) break;
      waiting.delete(recording.missionId);
      try {
        await write(recording);
      } catch (error) {
        log.warn({ error, mission: recording.missionId }, 'rows of a recording could not be written');
        if (!done.has(recording.missionId)) deps.unwritten(recording);
        // A newer version of the recording may have arrived meanwhile.
        if (!waiting.has(recording.missionId)) waiting.set(recording.missionId, recording);
        timer = setTimeout(again, RETRY_MS);
        return false;
      }
    }
    pending.clear();
    return true;
  }

  /** Adds recordings without a journal. Returns false if a retry is scheduled. */
  async function takeForgotten(): Promise<boolean> {
    isGreeted = false;
    try {
      for (const recording of await forgottenRecordings(deps)) waiting.set(recording.missionId, recording);
      return true;
    } catch (error) {
      log.warn({ error }, 'recordings without a journal could not be looked for');
      isGreeted = true;
      timer = setTimeout(again, RETRY_MS);
      return false;
    }
  }

  function again(): void {
    timer = null;
    working = closed ? null : work();
  }

  async function write(recording: Recording): Promise<void> {
    const { missionId } = recording;
    const rows = await db.transaction().execute(async (tx) => {
      const written = await writeRecording(deps, tx, { recording });
      // Written before the commit, so that a failed audit row causes a retry of the whole transaction.
      await deps.notes.write(tx, recording);
      return written;
    });
    const first = !done.has(missionId);
    done.set(missionId, essenceOf(recording));
    if (recording.state === 'stopped') {
      done.delete(missionId);
      deps.notes.forget(missionId);
      mirror.settle(missionId);
    }
    deps.changed('missions', [missionId]);
    deps.written(recording, { ...rows, first });
    for (const notify of pending.get(missionId) ?? []) notify();
    pending.delete(missionId);
  }

  return {
    /** Returns whether the rows of a recorded mission have been written. */
    isWritten: (missionId: string): boolean => done.has(missionId),

    /**
     * Calls `notify` immediately if the rows are written, otherwise after the first write, since until then the
     * mission's rights are unknown.
     */
    whenWritten(missionId: string, notify: () => void): void {
      if (done.has(missionId)) notify();
      else pending.set(missionId, [...(pending.get(missionId) ?? []), notify]);
    },

    async close(): Promise<void> {
      closed = true;
      unsubscribe();
      if (timer) clearTimeout(timer);
      else await working;
    },
  };
}

/**
 * Text of those parts of a journal that rows or the audit contain, for comparison; without sizes and durations of open
 * files.
 */
const essenceOf = ({ state, sensors }: Recording): string =>
  JSON.stringify([
    state,
    sensors.map((sensor) => [
      sensor.sensorId,
      sensor.state,
      sensor.error,
      sensor.files.map(({ fileId, endedUs }) => [fileId, endedUs !== null]),
      sensor.overflows?.map(({ endedUs }) => endedUs !== null),
    ]),
  ]);
