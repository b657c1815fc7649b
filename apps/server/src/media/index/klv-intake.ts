import { createTimestampCheck, keyText, packets, readUniversalKey, type TimestampReport } from '@osprey/klv';
import type { KlvPayload } from '@osprey/mpegts';
import { createKlvClock, type KlvClock } from '../../telemetry/klv-clock.ts';
import type { Timebase } from '../../telemetry/timebase.ts';
import type { TelemetryRow } from '../../telemetry/writer.ts';
import { createKlvChoice, type KlvWorth, POSITION_WORTH, worthOfSet } from './klv-choice.ts';
import { createKlvJoin } from './klv-join.ts';
import { createKlvRecords, emptyRecord, type KlvSet } from './klv-records.ts';
import { createMarkReader } from './stream-mark.ts';

/** Limit of different kinds of fault; a stream of noise has no end of them. */
const MAX_FAULT_KINDS = 200;
const TICKS_PER_MS = 90;
const PID_COUNT = 8192;
/** Latencies are counted in milliseconds up to this, on either side. */
export const LATENCY_RANGE_MS = 5000;

/** Limit of different keys; noise could invent them without end. */
const MAX_KEYS = 20;
const OTHER_KEYS = 'other';

/** Sets that fail their checksum are counted without end; so many of them are kept with their places. */
const MAX_FAILED_SETS = 50_000;

/**
 * Where a program has several KLV streams, packets that are no whole set of ST 0601 wait for one, so that no record of
 * another stream comes before it.
 */
const MAX_HELD = 64;
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** Content of one KLV stream by its packets. */
export type KlvStream = {
  pid: number;
  program: number;
  kind: 'sync' | 'async';
  /** Packets by standard. */
  standards: Record<string, number>;
  sets: number;
  /** Packets under keys of no known set, by key in hex digits. Absent where there are none. */
  unknownKeys?: Record<string, number>;
};

/** Counts of one of several KLV streams: whole sets, and those that hold a position. */
export type KlvCount = { pid: number; program: number; sets: number; positions: number };

/** Tags that one stream filled in, ascending. */
export type KlvFilled = { pid: number; tags: number[] };

/** `user`: a user chose it; `tables`: by metadata descriptors; `positions`: it holds most; `first`: it came first. */
export type KlvChosenBy = 'user' | 'tables' | 'positions' | 'first';

/** The KLV stream that is to be shown. */
export type WantedKlv = { pid: number; by: 'user' | 'positions' };

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
  /** Verdict on the clock; absent in older indexes, and if no set has a place in the stream's clock. */
  line?: Omit<KlvClock, 'isBelieved' | 'runs'>;
  /** Metadata after (positive) or before the picture of the same PTS; null if sets have no PTS. */
  latencyMs: { median: number; p95: number; max: number } | null;
  /** PIDs of the other KLV streams, whose sets were left out. Absent where there are none. */
  others?: number[];
  /** Where there are several KLV streams: what each sent, and which is shown and why. */
  found?: KlvCount[];
  chosen?: { pid: number; by: KlvChosenBy };
  /** A stream that holds clearly more positions than the one that is shown: the file is read again for it. */
  better?: number;
  /** Tags that other streams filled into sets of the shown one. Absent where they filled none. */
  filled?: KlvFilled[];
  /**
   * PIDs of streams that hold positions as the shown one does, so that the file has to be read again without joining
   * them.
   */
  apart?: number[];
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
  /** Null: by the rules of `createKlvChoice`. */
  wanted?: WantedKlv | null;
  /** Streams that fill in nothing. */
  apart?: readonly number[];
};

/** One packet as it was read; reused. */
type Packet = { standard: string; found: KlvSet | null; fault: string | null; worth: KlvWorth };

/** More than this is no merit of the packets themselves. */
const BY_POSITION = 4;
/**
 * Ratio of positions from which another stream is better than the shown one: a set more or less at an end must not
 * decide.
 */
const CLEARLY_MORE = 1.1;

/** Takes KLV payloads in their order: records for the index, and what the health panel wants to know. */
export function createKlvIntake({ nowUs, keep, onMark, wanted = null, apart = [] }: KlvIntakeDeps) {
  const records = createKlvRecords();
  const check = createTimestampCheck({ nowUs });
  const klvClock = createKlvClock();
  const marks = createMarkReader({ onMark });
  const streams = new Map<number, KlvStream>();
  const checksum = { good: 0, bad: 0, missing: 0 };
  const failedSets: [run: number, ptsTicks: number][] = [];
  const faults = new Map<string, { tag: number | null; fault: string; count: number }>();
  const latencies = new Int32Array(2 * LATENCY_RANGE_MS + 1);
  const row: TelemetryRow = { record: emptyRecord(), bytes: new Uint8Array(), ptsTicks: null, run: 0 };
  let lastRun = -1;
  let lastTicks = Number.NaN;
  const choice = createKlvChoice(wanted?.pid ?? null);
  const counts = new Map<number, KlvCount>();
  const packet: Packet = { standard: 'unknown', found: null, fault: null, worth: 0 };
  const held: { payload: KlvPayload; videoTicks: number | null }[] = [];
  let heldBytes = 0;
  let isWaiting = false;
  let hasSeveral = false;
  const filled = new Map<number, Set<number>>();
  const join = createKlvJoin<Placed>({
    emit: ({ payload }, bytes) =>
      keepJoined(bytes === null ? payload : { ...payload, bytes, start: 0, end: bytes.length }),
    mayFill: (pid) => !apart.includes(pid) && !(positionsOf(pid) > 0 && positionsOf(choice.chosen()?.pid) > 0),
    onFilled(pid, tag) {
      const tags = filled.get(pid) ?? new Set();
      filled.set(pid, tags.add(tag));
    },
    waits: true,
  });

  function noteFault(tag: number | null, fault: string): void {
    const key = `${tag} ${fault}`;
    const known = faults.get(key);
    if (known) known.count += 1;
    else if (faults.size < MAX_FAULT_KINDS) faults.set(key, { tag, fault, count: 1 });
  }

  function streamOf({ pid, programNumber, sync }: KlvPayload): KlvStream {
    const key = programNumber * PID_COUNT + pid;
    let stream = streams.get(key);
    if (stream === undefined) {
      stream = { pid, program: programNumber, kind: sync ? 'sync' : 'async', standards: {}, sets: 0 };
      streams.set(key, stream);
    }
    return stream;
  }

  /** `videoTicks`: PTS of the last picture before the payload; null before the first. */
  function add(payload: KlvPayload, videoTicks: number | null): void {
    const { bytes } = payload;
    if (isOnePacket(bytes, payload.start, payload.end)) {
      addPacket(payload, videoTicks);
      return;
    }
    if (choice.takes(payload.pid, 0, ticksOf(payload))) streamOf(payload);
    const noteCut = (one: { tag: number | null; fault: string }) => {
      if (choice.takes(payload.pid, 0, ticksOf(payload))) noteFault(one.tag, one.fault);
    };
    const noteForeign = ({ start }: { start: number }) => {
      if (choice.takes(payload.pid, 0, ticksOf(payload))) noteKey(streamOf(payload), keyText(bytes, start));
    };
    for (const { start, end } of packets(bytes, payload.start, payload.end, noteCut, noteForeign)) {
      addPacket({ ...payload, start, end }, videoTicks);
    }
  }

  function noteKey(stream: KlvStream, key: string): void {
    stream.unknownKeys ??= {};
    const counts = stream.unknownKeys;
    const name = key in counts || Object.keys(counts).length < MAX_KEYS ? key : OTHER_KEYS;
    counts[name] = (counts[name] ?? 0) + 1;
  }

  function addPacket(payload: KlvPayload, videoTicks: number | null): void {
    const { worth } = read(payload);
    count(payload, worth);
    if (isWaiting) {
      choice.takes(payload.pid, worth, ticksOf(payload));
      if (!choice.isCertain() || choice.chosen()!.pid !== payload.pid) {
        hold(payload, videoTicks);
        return;
      }
      release();
      read(payload);
    } else if (!choice.takes(payload.pid, worth, ticksOf(payload))) {
      joinOther(packet, payload);
      return;
    }
    take(packet, payload, videoTicks);
  }

  function joinOther({ worth }: Packet, payload: KlvPayload): void {
    if (hasSeveral && worth > 0) join.other(placed(payload));
  }

  /** Waiting sets are read again: a reader has one record, which the sets since then have filled. */
  function keepJoined(payload: KlvPayload): void {
    const found = records.read(payload.bytes, payload.start, payload.end);
    if (found?.record) keepRecord(found.record, payload);
  }

  const positionsOf = (pid: number | undefined): number => (pid === undefined ? 0 : (counts.get(pid)?.positions ?? 0));

  function count({ pid, programNumber }: KlvPayload, worth: KlvWorth): void {
    let known = counts.get(pid);
    if (known === undefined) {
      known = { pid, program: programNumber, sets: 0, positions: 0 };
      counts.set(pid, known);
    }
    if (worth > 0) known.sets += 1;
    if (worth >= POSITION_WORTH) known.positions += 1;
  }

  /** Marks count from every stream of the program: a label follows what was received, shown or not. */
  function read({ bytes, start, end }: KlvPayload): Packet {
    packet.standard = readUniversalKey(bytes, start) ?? 'unknown';
    packet.found = null;
    packet.fault = null;
    packet.worth = 0;
    if (packet.standard === 'unknown') return packet;
    try {
      packet.found = records.read(bytes, start, end);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'FormatError') throw error;
      packet.fault = error.message;
    }
    if (packet.found && packet.found.checksum !== 'bad') readMarks(packet.found, bytes);
    packet.worth = worthOfSet(packet.standard, packet.found);
    return packet;
  }

  function readMarks({ security, items }: KlvSet, bytes: Uint8Array): void {
    if (security !== undefined) marks.values(security);
    for (const item of items) marks.item(item, bytes);
  }

  function hold(payload: KlvPayload, videoTicks: number | null): void {
    const { start, end } = payload;
    const bytes = payload.bytes.slice(start, end);
    held.push({ payload: { ...payload, bytes, start: 0, end: bytes.length }, videoTicks });
    heldBytes += bytes.length;
    if (held.length >= MAX_HELD || heldBytes >= MAX_HELD_BYTES) release();
  }

  function release(): void {
    isWaiting = false;
    heldBytes = 0;
    for (const { payload, videoTicks } of held.splice(0)) {
      const one = read(payload);
      if (choice.takes(payload.pid, 0, ticksOf(payload))) take(one, payload, videoTicks);
      else joinOther(one, payload);
    }
  }

  function take({ standard, found, fault }: Packet, payload: KlvPayload, videoTicks: number | null): void {
    if (payload.ptsTicks !== null && videoTicks !== null) noteLatency(videoTicks - payload.ptsTicks);
    const stream = streamOf(payload);
    if (standard === 'unknown') {
      noteKey(stream, keyText(payload.bytes, payload.start));
      return;
    }
    stream.standards[standard] = (stream.standards[standard] ?? 0) + 1;
    if (fault !== null) noteFault(null, fault);
    if (found !== null) addSet(stream, payload, found);
  }

  function addSet(stream: KlvStream, payload: KlvPayload, found: KlvSet): void {
    for (const { tag, fault } of found.faults) noteFault(tag, fault);
    stream.sets += 1;
    checksum[found.checksum] += 1;
    // A set that fails its checksum is counted and goes no further: it moves no marker.
    if (found.checksum === 'bad') noteFailed(payload);
    else if (found.record !== null && hasSeveral) join.base(copied(payload));
    else if (found.record !== null) keepRecord(found.record, payload);
  }

  /** The KLV streams that belong to the shown video; `assigned` is the one that the tables assign to it. */
  function listed(pids: readonly number[], assigned: number | null): void {
    choice.listed(pids, assigned);
    isWaiting = pids.length > 1 && !choice.isCertain();
    if (!isWaiting && held.length > 0) release();
    if (pids.length < 2) join.flush();
    hasSeveral = pids.length > 1;
  }

  function choiceParts(): Pick<KlvSurvey, 'others' | 'found' | 'chosen' | 'better' | 'filled' | 'apart'> {
    const others = choice.others();
    const chosen = choice.chosen();
    if (counts.size < 2 || chosen === null) return others.length > 0 ? { others } : {};
    const found = [...counts.values()];
    const own = counts.get(chosen.pid);
    const most = found.reduce((best, one) => (one.positions > best.positions ? one : best));
    const isFree = wanted === null && chosen.worth <= BY_POSITION && streams.size === 1;
    const isBetter = isFree && most.positions > CLEARLY_MORE * (own?.positions ?? 0);
    return {
      ...(others.length > 0 && { others }),
      found,
      chosen: { pid: chosen.pid, by: chosenBy(chosen) },
      ...(isBetter && { better: most.pid }),
      ...(filled.size > 0 && {
        filled: [...filled].map(([pid, tags]) => ({ pid, tags: [...tags].sort((a, b) => a - b) })),
      }),
      ...apartPart(isBetter ? most.pid : chosen.pid),
    };
  }

  /**
   * Streams that a second reading must keep apart: all with positions, if the shown one or another that fills in has
   * any.
   */
  function apartPart(pid: number): Pick<KlvSurvey, 'apart'> {
    const positioned = [...counts.values()].filter((one) => one.pid !== pid && one.positions > 0);
    const most = Math.max(...positioned.map(({ positions }) => positions));
    const kept = positionsOf(pid) > 0 ? null : positioned.find(({ positions }) => positions === most);
    const wrong = positioned.filter((one) => one !== kept).map((one) => one.pid);
    return wrong.some((each) => filled.has(each)) ? { apart: wrong } : {};
  }

  function chosenBy({ pid, worth }: { pid: number; worth: KlvWorth }): KlvChosenBy {
    if (wanted?.pid === pid) return wanted.by;
    if (worth > BY_POSITION) return 'tables';
    return worth >= POSITION_WORTH ? 'positions' : 'first';
  }

  function noteFailed(payload: KlvPayload): void {
    const ticks = ticksOf(payload);
    if (ticks !== null && failedSets.length < MAX_FAILED_SETS) failedSets.push([payload.run, ticks]);
  }

  function keepRecord(record: TelemetryRow['record'], payload: KlvPayload): void {
    const ticks = ticksOf(payload);
    const { timeUs } = record;
    // A clock that goes on across a jump ahead confirms the jump; across one back nothing can.
    if (payload.run !== lastRun && ticks !== null && ticks < lastTicks) check.restart();
    if (ticks !== null) lastTicks = ticks;
    lastRun = payload.run;
    const trueUs = check.add(timeUs, ticks);
    if (trueUs !== null && ticks !== null) {
      klvClock.add({ run: payload.run, ticks, isOwn: payload.ptsTicks !== null }, trueUs);
    }
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
    if (held.length > 0) release();
    join.flush();
    const clock = check.report();
    return {
      streams: [...streams.values()],
      checksum,
      ...(failedSets.length > 0 && { failedSets }),
      faults: [...faults.values()].sort((a, b) => b.count - a.count),
      ...clockParts(clock, klvClock.finish(clock.records - clock.missing)),
      latencyMs: quantiles(latencies),
      ...choiceParts(),
      ...marks.found(),
    };
  }

  return { add, listed, finish };
}

type Placed = ReturnType<typeof placed>;

const placed = (payload: KlvPayload) => {
  const { pid, run, bytes, start, end } = payload;
  return { pid, run, bytes, start, end, ticks: ticksOf(payload), payload };
};

function copied(payload: KlvPayload): Placed {
  const bytes = payload.bytes.slice(payload.start, payload.end);
  return placed({ ...payload, bytes, start: 0, end: bytes.length });
}

/** When a payload came by the clock of its program: its own time, else that of what came last. */
const ticksOf = ({ ptsTicks, nearTicks }: KlvPayload): number | null => ptsTicks ?? nearTicks;

/** Without a place in the stream's clock the times have nothing but each other to agree with. */
function clockParts(clock: TimestampReport, judged: KlvClock | null): Pick<KlvSurvey, 'clock' | 'anchors' | 'line'> {
  if (judged === null) return { clock, anchors: [] };
  const { isBelieved, runs, ...line } = judged;
  return { clock: { ...clock, trustworthy: isBelieved }, anchors: runs, line };
}

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

/**
 * Finds out quickly whether a payload is a single ST 336 packet with a short or two-byte length, as most are: such a
 * payload needs no search.
 */
function isOnePacket(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < KEY_BYTES + 1 || bytes[start] !== 0x06 || bytes[start + 1] !== 0x0e) return false;
  const first = bytes[start + KEY_BYTES]!;
  if (first < 0x80) return start + KEY_BYTES + 1 + first === end;
  if (first === 0x81) return start + KEY_BYTES + 2 + bytes[start + KEY_BYTES + 1]! === end;
  if (first !== 0x82) return false;
  return start + KEY_BYTES + 3 + (bytes[start + KEY_BYTES + 1]! << 8) + bytes[start + KEY_BYTES + 2]! === end;
}
