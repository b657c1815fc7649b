import { createTimestampCheck, packets, readUniversalKey, type TimestampReport } from '@osprey/klv';
import type { KlvPayload } from '@osprey/mpegts';
import { createAnchors, type Timebase } from '../telemetry/timebase.ts';
import type { TelemetryRow } from '../telemetry/writer.ts';
import { createKlvRecords, emptyRecord, type KlvSet } from './klv-records.ts';
import { createMarkReader } from './stream-mark.ts';

/** Kinds of fault that are told apart; a stream of noise has no end of them. */
const MAX_FAULT_KINDS = 200;
const TICKS_PER_MS = 90;
/** Latencies are counted in milliseconds up to this, on either side. */
const LATENCY_RANGE_MS = 5000;

/** Sets that fail their checksum are counted without end; so many of them are kept with their places. */
const MAX_FAILED_SETS = 50_000;

/** One KLV stream as its packets told it. */
export type KlvStream = {
  pid: number;
  program: number;
  kind: 'sync' | 'async';
  /** Packets by standard. */
  standards: Record<string, number>;
  sets: number;
};

/** Everything about the KLV of one file that is not in its telemetry index. */
export type KlvSurvey = {
  streams: KlvStream[];
  checksum: { good: number; bad: number; missing: number };
  /** Where sets failed their checksum: run and PTS in ticks. Absent from older indexes. */
  failedSets?: [run: number, ptsTicks: number][];
  faults: { tag: number | null; fault: string; count: number }[];
  clock: TimestampReport;
  /** Times of sets with PTS in the stream's clock, by run: how PTS becomes UTC where the clock is trustworthy. */
  anchors: Timebase['runs'];
  /** Metadata behind (positive) or before the picture of the same PTS; null where sets have no PTS. */
  latencyMs: { median: number; p95: number; max: number } | null;
  /** Highest mark of ST 0102, 1 to 5; null without one. */
  mark: number | null;
  /** Marks that no label of ours means. */
  unknownMarks: string[];
};

export type KlvIntakeDeps = {
  nowUs: () => number;
  keep: (row: TelemetryRow) => void;
  /** A higher mark than all before it. */
  onMark: (rank: number) => void;
};

/** Takes KLV payloads in their order: records for the index, and what the health panel wants to know. */
export function createKlvIntake({ nowUs, keep, onMark }: KlvIntakeDeps) {
  const records = createKlvRecords();
  const check = createTimestampCheck({ nowUs });
  const anchors = createAnchors();
  const marks = createMarkReader({ onMark });
  const streams = new Map<number, KlvStream>();
  const checksum = { good: 0, bad: 0, missing: 0 };
  const failedSets: [run: number, ptsTicks: number][] = [];
  const faults = new Map<string, { tag: number | null; fault: string; count: number }>();
  const latencies = new Int32Array(2 * LATENCY_RANGE_MS + 1);
  const row: TelemetryRow = { record: emptyRecord(), bytes: new Uint8Array(), ptsTicks: null, run: 0 };
  let lastRun = -1;
  let lastTicks = Number.NaN;

  function noteFault(tag: number | null, fault: string): void {
    const key = `${tag} ${fault}`;
    const known = faults.get(key);
    if (known) known.count += 1;
    else if (faults.size < MAX_FAULT_KINDS) faults.set(key, { tag, fault, count: 1 });
  }

  function streamOf({ pid, programNumber, sync }: KlvPayload): KlvStream {
    let stream = streams.get(pid);
    if (stream === undefined) {
      stream = { pid, program: programNumber, kind: sync ? 'sync' : 'async', standards: {}, sets: 0 };
      streams.set(pid, stream);
    }
    return stream;
  }

  /** `videoTicks`: PTS of the last picture before the payload; null before the first. */
  function add(payload: KlvPayload, videoTicks: number | null): void {
    const stream = streamOf(payload);
    const { bytes } = payload;
    if (payload.ptsTicks !== null && videoTicks !== null) noteLatency(videoTicks - payload.ptsTicks);
    if (isOnePacket(bytes, payload.start, payload.end)) {
      addPacket(stream, payload, payload.start, payload.end);
      return;
    }
    for (const { start, end } of packets(bytes, payload.start, payload.end, (one) => noteFault(one.tag, one.fault))) {
      addPacket(stream, payload, start, end);
    }
  }

  function addPacket(stream: KlvStream, payload: KlvPayload, start: number, end: number): void {
    const standard = readUniversalKey(payload.bytes, start) ?? 'unknown';
    stream.standards[standard] = (stream.standards[standard] ?? 0) + 1;
    try {
      const found = records.read(payload.bytes, start, end);
      if (found !== null) addSet(stream, payload, found);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'FormatError') throw error;
      noteFault(null, error.message);
    }
  }

  function addSet(stream: KlvStream, payload: KlvPayload, found: KlvSet): void {
    for (const { tag, fault } of found.faults) noteFault(tag, fault);
    stream.sets += 1;
    checksum[found.checksum] += 1;
    // A set that fails its checksum is counted and goes no further: it moves no marker.
    if (found.checksum === 'bad') {
      noteFailed(payload);
      return;
    }
    if (found.security !== undefined) marks.values(found.security);
    for (const item of found.items) marks.item(item, payload.bytes);
    if (found.record !== null) keepRecord(found.record, payload);
  }

  function noteFailed({ run, ptsTicks, nearTicks }: KlvPayload): void {
    const ticks = ptsTicks ?? nearTicks;
    if (ticks !== null && failedSets.length < MAX_FAILED_SETS) failedSets.push([run, ticks]);
  }

  function keepRecord(record: TelemetryRow['record'], payload: KlvPayload): void {
    const ticks = payload.ptsTicks ?? payload.nearTicks;
    const { timeUs } = record;
    // A clock that goes on across a jump ahead confirms the jump; across one back nothing can.
    if (payload.run !== lastRun && ticks !== null && ticks < lastTicks) check.restart();
    if (ticks !== null) lastTicks = ticks;
    lastRun = payload.run;
    check.add(timeUs, ticks);
    if (timeUs !== null && ticks !== null) anchors.add(payload.run, ticks, timeUs);
    row.record = record;
    row.bytes = payload.bytes;
    row.ptsTicks = ticks;
    row.run = payload.run;
    keep(row);
  }

  function noteLatency(ticks: number): void {
    const ms = Math.round(ticks / TICKS_PER_MS);
    const bin = Math.max(-LATENCY_RANGE_MS, Math.min(LATENCY_RANGE_MS, ms));
    latencies[bin + LATENCY_RANGE_MS]! += 1;
  }

  function finish(): KlvSurvey {
    const clock = check.report();
    return {
      streams: [...streams.values()],
      checksum,
      ...(failedSets.length > 0 && { failedSets }),
      faults: [...faults.values()].sort((a, b) => b.count - a.count),
      clock,
      anchors: scaled(anchors.finish(), clock.unit === 'milliseconds' ? 1000 : 1),
      latencyMs: quantiles(latencies),
      ...marks.found(),
    };
  }

  return { add, finish };
}

const scaled = (runs: Timebase['runs'], unitUs: number): Timebase['runs'] =>
  unitUs === 1
    ? runs
    : runs.map(({ run, anchors }) => ({ run, anchors: anchors.map(([pts, us]) => [pts, us * unitUs]) }));

function quantiles(bins: Int32Array): KlvSurvey['latencyMs'] {
  const all = bins.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const at = (share: number) => {
    let left = Math.ceil(share * all);
    const bin = bins.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return bin - LATENCY_RANGE_MS;
  };
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

const KEY_BYTES = 16;

/** Most payloads are one ST 336 packet with a short or a two-byte length: those need no search. */
function isOnePacket(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < KEY_BYTES + 1 || bytes[start] !== 0x06 || bytes[start + 1] !== 0x0e) return false;
  const first = bytes[start + KEY_BYTES]!;
  if (first < 0x80) return start + KEY_BYTES + 1 + first === end;
  if (first === 0x81) return start + KEY_BYTES + 2 + bytes[start + KEY_BYTES + 1]! === end;
  if (first !== 0x82) return false;
  return start + KEY_BYTES + 3 + (bytes[start + KEY_BYTES + 1]! << 8) + bytes[start + KEY_BYTES + 2]! === end;
}
