import { randomUUID } from 'node:crypto';
import { PACKET_SIZE } from '@osprey/mpegts';
import type { Logger } from 'pino';
import { isOutOfRoom } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Overflow, RecordedFile, RecordedSensor } from '../../recorder-wire/protocol.ts';
import type { LiveListener, LiveStream, RingHistory } from '../components.ts';
import { createStreamClockWatch } from './clock-watch.ts';
import { createCutLimit } from './cut-limit.ts';
import { createDiskRetry, faultCode } from './disk-retry.ts';
import { createOverflowLog } from './overflow-log.ts';
import { type FileSegment, type OpenFile, openFile } from './recorded-file.ts';
import { beginsWithTables } from './tables-in-front.ts';

const OVERFLOW_SAID_MS = 10_000;

export type SensorRecorderDeps = {
  storage: Storage;
  /** Id of the sensor in the mission. */
  sensorId: string;
  name: string;
  type: RecordedSensor['type'];
  /** Reason why the sensor's first file begins. */
  cause: RecordedFile['cause'];
  /** Called when a file begins or has ended, so that the journal is written. Resolves when it is written. */
  changed(): Promise<void>;
  segment(file: { fileId: string; startedUs: number }, n: number, segment: FileSegment): void;
  /** Reports a fault to operators. `isFull`: whether the fault is a full disk. */
  problem(text: string, isFull: boolean): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

/** Records one sensor: cuts its stream into files and completes each. */
export type SensorRecorder = {
  /** Listens to a stream that came online. `history`: pre-roll from the ring, up to the present moment; null: none. */
  attach(stream: LiveStream, history: RingHistory | null): void;
  /** Called when the stream has gone offline. */
  detach(): void;
  files(): RecordedFile[];
  /** Periods in which packets were dropped because the disk was too slow. */
  overflows(): Overflow[];
  /** Ends the current file; later packets go into a new file. `cause`: reason why the new file begins. */
  cut(cause: RecordedFile['cause']): void;
  tick(): void;
  /** Ends the recording of this sensor. Resolves when its files are complete. */
  end(): Promise<void>;
};

/** @param existing files and overflows already recorded for this sensor */
export function createSensorRecorder(
  deps: SensorRecorderDeps,
  existing: Pick<RecordedSensor, 'files' | 'overflows'>,
): SensorRecorder {
  const { log, nowMs } = deps;
  /** Files that have ended are kept as final descriptions; open files are queried for their current state. */
  const files: (RecordedFile | OpenFile)[] = [...existing.files];
  const ending = new Set<Promise<void>>();
  const clock = createStreamClockWatch(nowMs);
  const backlog = { bytes: 0 };
  const mayCut = createCutLimit(nowMs);
  const retry = createDiskRetry(nowMs);
  const overflows = createOverflowLog(existing.overflows ?? [], {
    // `deps.changed` reports a journal that cannot be written itself, so its result is not awaited.
    changed: () => void deps.changed(),
    nowUs: deps.nowUs,
    nowMs,
  });
  let stream: LiveStream | null = null;
  let release: (() => void)[] = [];
  let open: OpenFile | null = null;
  let nextCause = deps.cause;
  let dropped = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  let isEnded = false;

  const listener: LiveListener = {
    unit(unit) {
      if (clock.jumped(unit) && mayCut()) cut('clock');
    },
    packets(bytes, arrivalUs) {
      open ??= retry.isWaiting() ? null : begin(arrivalUs, null, bytes);
      if (open?.put(bytes, arrivalUs)) return;
      const packets = bytes.length / PACKET_SIZE;
      dropped += packets;
      // Without an open file the disk has failed; that is already recorded as a gap, not as an overflow.
      if (open !== null) overflows.dropped(packets);
    },
    changed() {
      if (mayCut()) cut('stream');
    },
    lost() {
      clock.forget();
      cut('stream');
    },
  };

  function begin(startedUs: number, history: RingHistory | null, first: Uint8Array | null): OpenFile {
    const fileId = randomUUID();
    const journal = Promise.withResolvers<void>();
    // Keep the stream in a constant: `stream` may be null by the time the file ends.
    const source = stream;
    const file = openFile({
      storage: deps.storage,
      sensorId: deps.sensorId,
      type: deps.type,
      fileId,
      cause: nextCause,
      startedUs,
      history,
      klvPid: () => source?.order().klvPid ?? null,
      named: journal.promise,
      backlog,
      segment: (n, segment) => deps.segment({ fileId, startedUs }, n, segment),
      failed: (error, lostBytes) => failed(file, error, lostBytes),
      log,
      nowUs: deps.nowUs,
      nowMs,
    });
    files.push(file);
    journal.resolve(deps.changed());
    const tables = stream?.facts()?.tables ?? null;
    if (first !== null && tables !== null && !beginsWithTables(first)) file.put(tables, startedUs);
    return file;
  }

  function cut(cause: RecordedFile['cause']): void {
    if (open === null) return;
    const file = open;
    open = null;
    nextCause = cause;
    const work = finish(file).finally(() => ending.delete(work));
    ending.add(work);
  }

  async function finish(file: OpenFile): Promise<void> {
    const ended = await file.end().catch((error) => {
      log.error({ error, sensorId: deps.sensorId }, 'a file of a recording could not be ended');
      return { ...file.described(), endedUs: deps.nowUs(), suspect: true };
    });
    files.splice(files.indexOf(file), 1, ...(ended ? [ended] : []));
    if (ended && !ended.suspect) retry.succeeded();
    await deps.changed();
  }

  /**
   * Ends a file after a failed write or sync. A failed file is never written again; later packets go into a new file.
   */
  function failed(file: OpenFile, error: unknown, lostBytes: number): void {
    dropped += Math.ceil(lostBytes / PACKET_SIZE);
    log.error({ error, sensorId: deps.sensorId }, 'a recording could not be written');
    if (open === file) cut('sync');
    retry.failed();
    const text = `${deps.name} could not be written (${faultCode(error)}): its last file may not be whole`;
    deps.problem(text, isOutOfRoom(error));
  }

  function tick(): void {
    for (const file of files) if ('tick' in file) file.tick();
    overflows.tick();
    if (dropped === 0 || nowMs() - saidMs < OVERFLOW_SAID_MS) return;
    saidMs = nowMs();
    deps.problem(`the disk does not keep up: ${dropped} packets of ${deps.name} were not recorded`, false);
    dropped = 0;
  }

  return {
    attach(next, history) {
      if (isEnded) return;
      stream = next;
      release = [next.listen(listener), next.keep()];
      if (history) open = begin(history.startUs, history, null);
    },
    detach() {
      for (const end of release.splice(0)) end();
      stream = null;
      cut('stream');
    },
    files: () => files.map((file) => ('described' in file ? file.described() : file)),
    overflows: overflows.list,
    cut,
    tick,
    async end() {
      isEnded = true;
      for (const done of release.splice(0)) done();
      cut('stream');
      overflows.end();
      while (ending.size > 0) await Promise.all(ending);
    },
  };
}
