import { createTimestampCheck, keyText, packets, readUniversalKey, type TimestampReport } from '@osprey/klv';
import type { KlvPayload } from '@osprey/mpegts';
import { createKlvClock, type KlvClock } from '../../telemetry/klv-clock.ts';
import type { TelemetryRow } from '../../telemetry/writer.ts';
import { createKlvChoice, type KlvWorth, worthOfSet } from './klv-choice.ts';
import { createKlvComparison } from './klv-comparison.ts';
import { createKlvJoin } from './klv-join.ts';
import { createKlvRecords, emptyRecord, type KlvSet } from './klv-records.ts';
import type { KlvStream, KlvSurvey, RequestedKlv } from './klv-survey.ts';
import { createKlvTally } from './klv-tally.ts';
import { createMarkReader } from './stream-mark.ts';

/**
 * Maximum number of packets held back: if a program has several KLV streams, packets that are no complete set of ST
 * 0601 wait for one, so that no record of another stream precedes it.
 */
const PENDING_MAX = 64;
const PENDING_BYTES_MAX = 4 * 1024 * 1024;

export type KlvReaderDeps = {
  nowUs: () => number;
  keep: (row: TelemetryRow) => void;
  /** Called for each security mark above all earlier ones. */
  onMark: (rank: number) => void;
  /** Called for each security set, in all streams; see `createMarkReader`. A set that was held back is given twice. */
  onSecuritySet?: (said: unknown, payload: KlvPayload, videoTicks: number | null) => void;
  /** The KLV stream to use; null for the choice by `createKlvChoice`. */
  requested?: RequestedKlv | null;
  /** Streams that must not supply items. */
  apart?: readonly number[];
};

/** The result of reading one packet; the object is reused. */
type Packet = { standard: string; found: KlvSet | null; fault: string | null; worth: KlvWorth };

/**
 * Processes KLV payloads in sequence, producing records for the index and the counts for the health panel.
 *
 * `add` splits a payload into packets, and `read` parses each of them; security marks of all streams count. The choice
 * determines whether the packet's stream is the shown one; while several streams are listed and none is certain,
 * packets are held back. Packets of the shown stream are used; those of other streams are joined, to supply tags that
 * the shown one lacks. `keepRecord` checks the time of a record and passes it to the index.
 */
export function createKlvReader({ nowUs, keep, onMark, onSecuritySet, requested = null, apart = [] }: KlvReaderDeps) {
  const records = createKlvRecords();
  const check = createTimestampCheck({ nowUs });
  const klvClock = createKlvClock();
  const marks = createMarkReader({
    onMark,
    onSet(said) {
      if (marked !== null) onSecuritySet?.(said, marked, markedTicks);
    },
  });
  /** The packet whose security sets are being read, and the PTS of the last picture before it. */
  let marked: KlvPayload | null = null;
  let markedTicks: number | null = null;
  const tally = createKlvTally();
  const row: TelemetryRow = { record: emptyRecord(), bytes: new Uint8Array(), ptsTicks: null, run: 0 };
  let lastRun = -1;
  let lastTicks = Number.NaN;
  const choice = createKlvChoice(requested?.pid ?? null);
  const comparison = createKlvComparison({ choice, requested });
  const packet: Packet = { standard: 'unknown', found: null, fault: null, worth: 0 };
  const pending: { payload: KlvPayload; videoTicks: number | null }[] = [];
  let pendingBytes = 0;
  let isWaiting = false;
  let hasSeveral = false;
  const join = createKlvJoin<Placed>({
    emit: ({ payload }, bytes) =>
      keepJoined(bytes === null ? payload : { ...payload, bytes, start: 0, end: bytes.length }),
    mayFill: (pid) => !apart.includes(pid) && !(hasPositions(pid) && hasPositions(choice.chosen()?.pid)),
    onFilled: comparison.filled,
    waits: true,
  });

  const hasPositions = (pid: number | undefined) => comparison.positionsOf(pid) > 0;

  /** `videoTicks`: PTS of the last picture before the payload; null if there was none yet. */
  function add(payload: KlvPayload, videoTicks: number | null): void {
    const { bytes } = payload;
    if (isOnePacket(bytes, payload.start, payload.end)) {
      addPacket(payload, videoTicks);
      return;
    }
    if (choice.accepts(payload.pid, 0, ticksOf(payload))) tally.streamOf(payload);
    const noteCut = (one: { tag: number | null; fault: string }) => {
      if (choice.accepts(payload.pid, 0, ticksOf(payload))) tally.fault(one.tag, one.fault);
    };
    const noteForeign = ({ start }: { start: number }) => {
      if (choice.accepts(payload.pid, 0, ticksOf(payload)))
        tally.unknownKey(tally.streamOf(payload), keyText(bytes, start));
    };
    for (const { start, end } of packets(bytes, payload.start, payload.end, noteCut, noteForeign)) {
      addPacket({ ...payload, start, end }, videoTicks);
    }
  }

  function addPacket(payload: KlvPayload, videoTicks: number | null): void {
    const { worth } = read(payload, videoTicks);
    comparison.count(payload, worth);
    if (isWaiting) {
      choice.accepts(payload.pid, worth, ticksOf(payload));
      if (!choice.isCertain() || choice.chosen()!.pid !== payload.pid) {
        hold(payload, videoTicks);
        return;
      }
      release();
      read(payload, videoTicks);
    } else if (!choice.accepts(payload.pid, worth, ticksOf(payload))) {
      joinOther(packet, payload);
      return;
    }
    countPacket(packet, payload, videoTicks);
  }

  function joinOther({ worth }: Packet, payload: KlvPayload): void {
    if (hasSeveral && worth > 0) join.other(placed(payload));
  }

  /** Waiting sets are read again, since the reader's single record has been overwritten by later sets. */
  function keepJoined(payload: KlvPayload): void {
    const found = records.read(payload.bytes, payload.start, payload.end);
    if (found?.record) keepRecord(found.record, payload);
  }

  /**
   * Parses a packet. Security marks of all streams of the program count, since the label follows from everything that
   * was received, shown or not.
   */
  function read(payload: KlvPayload, videoTicks: number | null): Packet {
    const { bytes, start, end } = payload;
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
    if (packet.found && packet.found.checksum !== 'bad') {
      marked = payload;
      markedTicks = videoTicks;
      readMarks(packet.found, bytes);
    }
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
    pending.push({ payload: { ...payload, bytes, start: 0, end: bytes.length }, videoTicks });
    pendingBytes += bytes.length;
    if (pending.length >= PENDING_MAX || pendingBytes >= PENDING_BYTES_MAX) release();
  }

  function release(): void {
    isWaiting = false;
    pendingBytes = 0;
    for (const { payload, videoTicks } of pending.splice(0)) {
      const one = read(payload, videoTicks);
      if (choice.accepts(payload.pid, 0, ticksOf(payload))) countPacket(one, payload, videoTicks);
      else joinOther(one, payload);
    }
  }

  function countPacket({ standard, found, fault }: Packet, payload: KlvPayload, videoTicks: number | null): void {
    if (payload.ptsTicks !== null && videoTicks !== null) tally.latency(videoTicks - payload.ptsTicks);
    const stream = tally.streamOf(payload);
    if (standard === 'unknown') {
      tally.unknownKey(stream, keyText(payload.bytes, payload.start));
      return;
    }
    stream.standards[standard] = (stream.standards[standard] ?? 0) + 1;
    if (fault !== null) tally.fault(null, fault);
    if (found !== null) addSet(stream, payload, found);
  }

  function addSet(stream: KlvStream, payload: KlvPayload, found: KlvSet): void {
    for (const { tag, fault } of found.faults) tally.fault(tag, fault);
    stream.sets += 1;
    tally.checksum(found.checksum);
    // A set with a wrong checksum is only counted: it must not move the marker.
    if (found.checksum === 'bad') tally.failed(payload.run, ticksOf(payload));
    else if (found.record !== null && hasSeveral) join.base(copied(payload));
    else if (found.record !== null) keepRecord(found.record, payload);
  }

  /** Sets the KLV streams that belong to the shown video; `assigned` is the one that the tables assign to it. */
  function listed(pids: readonly number[], assigned: number | null): void {
    choice.listed(pids, assigned);
    isWaiting = pids.length > 1 && !choice.isCertain();
    if (!isWaiting && pending.length > 0) release();
    if (pids.length < 2) join.flush();
    hasSeveral = pids.length > 1;
  }

  function keepRecord(record: TelemetryRow['record'], payload: KlvPayload): void {
    const ticks = ticksOf(payload);
    const { timeUs } = record;
    // After a forward jump, the continuing clock of the sets can confirm their times; after a backward jump nothing
    // can, so the check restarts.
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

  function finish(): KlvSurvey {
    if (pending.length > 0) release();
    join.flush();
    const clock = check.report();
    return {
      ...tally.report(),
      ...clockParts(clock, klvClock.finish(clock.records - clock.missing)),
      ...comparison.report(tally.streamCount()),
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

/** Returns the time of a payload on the clock of its program: its PTS, or else the time of the preceding data. */
const ticksOf = ({ ptsTicks, nearTicks }: KlvPayload): number | null => ptsTicks ?? nearTicks;

/**
 * Combines the reports about the clock. Without positions in the stream's clock, the times can only be compared with
 * each other.
 */
function clockParts(clock: TimestampReport, judged: KlvClock | null): Pick<KlvSurvey, 'clock' | 'anchors' | 'line'> {
  if (judged === null) return { clock, anchors: [] };
  const { isBelieved, runs, ...line } = judged;
  return { clock: { ...clock, trustworthy: isBelieved }, anchors: runs, line };
}

const KEY_BYTES = 16;

/**
 * Checks quickly whether a payload is a single ST 336 packet with a short or two-byte length, as most are; such a
 * payload needs no search for packets.
 */
function isOnePacket(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < KEY_BYTES + 1 || bytes[start] !== 0x06 || bytes[start + 1] !== 0x0e) return false;
  const first = bytes[start + KEY_BYTES]!;
  if (first < 0x80) return start + KEY_BYTES + 1 + first === end;
  if (first === 0x81) return start + KEY_BYTES + 2 + bytes[start + KEY_BYTES + 1]! === end;
  if (first !== 0x82) return false;
  return start + KEY_BYTES + 3 + (bytes[start + KEY_BYTES + 1]! << 8) + bytes[start + KEY_BYTES + 2]! === end;
}
