import { createHash } from 'node:crypto';
import { type Segment, TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Logger } from 'pino';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type FileIndex, readFileIndex } from '../../media/index/file-index.ts';
import { type GrowingIndex, openGrowingIndex } from '../../media/index/growing-index.ts';
import type { RecordedFile, RecordedSensor } from '../../recorder-wire/protocol.ts';
import type { RingHistory } from '../components.ts';
import { type Backlog, createFileWriter } from './file-writer.ts';
import { mendFile, mendLines } from './mend.ts';
import { withTables } from './tables-in-front.ts';

/** A segment of a file that is being recorded; times are seconds from the start of the file. */
export type FileSegment = {
  offset: number;
  sizeBytes: number;
  startSeconds: number;
  durationSeconds: number;
  isBreak: boolean;
};

export type OpenFileDeps = {
  storage: Storage;
  sensorId: string;
  /** Type of the sensor. A file of an AIS sensor holds lines and has no index. */
  type: RecordedSensor['type'];
  fileId: string;
  cause: RecordedFile['cause'];
  startedUs: number;
  /** Pre-roll: buffered bytes from before the first packet; null: none. */
  history: RingHistory | null;
  /** Current PID of the KLV stream that a user chose; null: chosen by the rules. */
  klvPid(): number | null;
  /** Resolves when the journal that names the file is on the disk. Nothing may be written into the file before that. */
  named: Promise<void>;
  backlog: Backlog;
  segment(n: number, segment: FileSegment): void;
  failed(error: unknown, lostBytes: number): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

/** One original file while it is being recorded, and the indexes that are built along with it. */
export type OpenFile = {
  readonly startedUs: number;
  /** Appends the bytes. Returns false if they were dropped. */
  put(bytes: Uint8Array, arrivalUs: number): boolean;
  tick(): void;
  /** Returns the current state of the file; sizes count synced bytes only. */
  described(): RecordedFile;
  /** Ends the file. Resolves to null if the file was empty; it is then removed. */
  end(): Promise<RecordedFile | null>;
};

export function openFile(deps: OpenFileDeps): OpenFile {
  const { storage, sensorId, fileId, startedUs, log } = deps;
  const key = recordedKey(deps.type, sensorId, fileId);
  let index: GrowingIndex | null = null;
  let lastUs = startedUs;
  let segments = 0;
  const hash = createHash('sha256');
  let hashed = 0;
  let endOfSegments = { offset: 0, seconds: 0, run: 0 };

  const writer = createFileWriter({
    backlog: deps.backlog,
    open,
    head: deps.history && withTables(deps.history.tables, deps.history.read()),
    written,
    headFailed: (error) => log.error({ error, sensorId, fileId }, 'what came before a recording cannot be read'),
    failed: deps.failed,
    nowMs: deps.nowMs,
  });

  async function open() {
    await deps.named;
    const file = await storage.append(key);
    if (deps.type === 'ais') return file;
    index = await openGrowingIndex({
      ...{ storage, sensorId, fileId, nowUs: deps.nowUs, onMark: () => {} },
      klvPid: deps.klvPid(),
    }).catch(indexLost);
    return file;
  }

  /**
   * Gives up the index after an error. The original is more important than its index: recording continues, and ingest
   * indexes the file later.
   */
  function indexLost(error: unknown): null {
    log.error({ error, sensorId, fileId }, 'the index of a recording cannot be written');
    index?.discard().catch(() => {});
    index = null;
    return null;
  }

  function written(bytes: Uint8Array): void {
    hash.update(bytes);
    hashed += bytes.byteLength;
    try {
      index?.push(bytes);
      for (const segment of index?.closed(segments) ?? []) notify(segment);
    } catch (error) {
      indexLost(error);
    }
  }

  /**
   * Reports a segment. Its start time, counted from the start of the file, is the sum of the durations of the segments
   * before it.
   */
  function notify({ offset, sizeBytes, durationTicks, run }: Segment): void {
    const durationSeconds = durationTicks / TICKS_PER_SECOND;
    const { seconds } = endOfSegments;
    deps.segment(segments, {
      offset,
      sizeBytes,
      startSeconds: seconds,
      durationSeconds,
      isBreak: segments === 0 || run !== endOfSegments.run,
    });
    segments += 1;
    endOfSegments = { offset: offset + sizeBytes, seconds: seconds + durationSeconds, run };
  }

  function tick(): void {
    writer.tick();
    index?.settle().catch(indexLost);
  }

  function described(): RecordedFile {
    const klvPid = deps.klvPid();
    return {
      fileId,
      startedUs,
      endedUs: null,
      sizeBytes: writer.syncedBytes(),
      durationSeconds: secondsBetween(startedUs, lastUs),
      segments,
      indexed: false,
      suspect: false,
      ...(klvPid !== null && { klvPid }),
      cause: deps.cause,
    };
  }

  async function end(): Promise<RecordedFile | null> {
    const isGood = await writer.end();
    const sizeBytes = isGood ? writer.syncedBytes() : await mendTail();
    if (sizeBytes === 0) {
      await index?.discard().catch(() => {});
      if (isGood) await storage.remove(key).catch(() => {});
      return null;
    }
    const made = isGood ? await finishIndex() : await index?.discard().catch(() => {});
    if (made) notifyLast(made);
    return {
      ...described(),
      sizeBytes,
      // No hash for a failed file: it was truncated, and may hold other bytes than those that were hashed.
      ...(isGood && hashed === sizeBytes && { sha256: hash.digest('hex') }),
      endedUs: Math.max(lastUs, startedUs),
      durationSeconds: made ? lengthOf(made) : secondsBetween(startedUs, lastUs),
      segments,
      indexed: made !== null && made !== undefined,
      suspect: !isGood,
    };
  }

  async function mendTail(): Promise<number> {
    const found = await mend(deps.type)(storage, key).catch((error) => {
      log.error({ error, sensorId, fileId }, 'a file that failed could not be cut to whole packets');
      return undefined;
    });
    return found === undefined ? writer.syncedBytes() : (found?.sizeBytes ?? 0);
  }

  async function finishIndex(): Promise<FileIndex | null> {
    try {
      return (await index?.finish()) ?? null;
    } catch (error) {
      return indexLost(error);
    }
  }

  /** Reports what remains after the last reported segment as a final segment, whatever its length. */
  function notifyLast(made: FileIndex): void {
    const run = made.runs.at(-1)?.run ?? 0;
    const sizeBytes = made.sizeBytes - endOfSegments.offset;
    const durationTicks = (lengthOf(made) - endOfSegments.seconds) * TICKS_PER_SECOND;
    if (made.segmentsKey === null || sizeBytes <= 0 || durationTicks <= 0) return;
    notify({ offset: endOfSegments.offset, sizeBytes, startTicks: 0, durationTicks, run });
  }

  return {
    startedUs,
    put(bytes, arrivalUs) {
      lastUs = arrivalUs;
      return writer.put(bytes);
    },
    tick,
    described,
    end,
  };
}

/** Completes a file that a crash left open. Returns null if nothing is left of the file. */
export async function endedByCrash(
  storage: Storage,
  { sensorId, type }: Pick<RecordedSensor, 'sensorId' | 'type'>,
  file: RecordedFile,
): Promise<RecordedFile | null> {
  const found = await mend(type)(storage, recordedKey(type, sensorId, file.fileId));
  if (found === null) return null;
  const { sizeBytes } = found;
  const endedUs = Math.max(file.startedUs, Math.round(found.modifiedMs * 1000));
  const index = type === 'ais' ? null : await readFileIndex(storage, sensorId, file.fileId);
  const indexed = index?.sizeBytes === sizeBytes;
  const durationSeconds = index && indexed ? lengthOf(index) : secondsBetween(file.startedUs, endedUs);
  return { ...file, endedUs, sizeBytes, durationSeconds, indexed };
}

/** Storage key of a file of a recording. */
export const recordedKey = (type: RecordedSensor['type'], sensorId: string, fileId: string): string =>
  originalKey(sensorId, fileId, type === 'ais' ? 'nmea' : 'ts');

const mend = (type: RecordedSensor['type']) => (type === 'ais' ? mendLines : mendFile);

const secondsBetween = (fromUs: number, toUs: number): number => Math.max(0, (toUs - fromUs) / 1e6);

/** Returns the total duration of the pictures in seconds, summed over all clock runs. */
const lengthOf = ({ runs }: FileIndex): number =>
  runs.reduce((sum, run) => sum + (run.lastPts + run.lastDurationTicks - run.firstPts) / TICKS_PER_SECOND, 0);
