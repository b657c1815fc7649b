import { createFramer } from './framer.ts';
import { isRepetition, NULL_PID, PACKET_SIZE, PID_COUNT, readPcr, SYNC_BYTE } from './packet.ts';
import type { Packeting } from './packeting.ts';
import type { PacketPlace, PidReader } from './pid-reader.ts';
import { createProgramTable } from './program-table.ts';
import type { DemuxFaults, DemuxHandlers, DemuxReport, StreamKind } from './types.ts';

/** A streaming reader of one transport stream. */
export type Demuxer = {
  /** Reads the next bytes, in pieces of any size; the bytes are not kept. */
  push(bytes: Uint8Array): void;
  /** Ends the stream: incomplete units are delivered or counted as faults. */
  end(): DemuxReport;
  /** Returns the counts so far. */
  report(): DemuxReport;
  /** Returns packet size and offset once they have been detected; null before. */
  packeting(): Packeting | null;
};

/** Options of a demuxer. */
export type DemuxOptions = {
  /** Packet size and offset; detected when omitted, see `detectPacketing`. */
  packeting?: Pick<Packeting, 'packetSize' | 'syncOffset'>;
};

const UNIT_START = 0x40;
const TRANSPORT_ERROR = 0x80;
const SCRAMBLED = 0xc0;
const HAS_ADAPTATION = 0x20;
const HAS_PAYLOAD = 0x10;

/**
 * Creates a demuxer (ISO/IEC 13818-1, 2.4). Handlers are called while `push` and `end` run.
 *
 * Faults in the stream are counted and skipped; only errors of handlers are thrown. The output does not depend on how
 * the stream is divided into pushes. Memory is bounded: 64 MiB for KLV being gathered, and little else.
 */
export function createDemuxer(handlers: DemuxHandlers, options: DemuxOptions = {}): Demuxer {
  const faults = emptyFaults();
  const packets = new Uint32Array(PID_COUNT);
  const scrambled = new Uint32Array(PID_COUNT);
  /**
   * Expected fourth byte of the next packet of each PID if it continues without loss, adaptation field or scrambling; 0
   * while no counter is known.
   */
  const expected = new Uint8Array(PID_COUNT);
  /** 1 for PIDs whose packets between unit starts are only counted, which are most packets of a file. */
  const onlyCounted = new Uint8Array(PID_COUNT).fill(1);
  /**
   * Offset of the last packet of each PID in the current bytes; -1 if there is none, although it may be in `retained`.
   */
  const lastAt = new Int32Array(PID_COUNT).fill(-1);
  const retained = new Map<number, Uint8Array>();
  const pids: number[] = [];
  /** Offset of the first packet of each PID. */
  const firstOffsets: number[] = [];
  /** Number of continuity errors of each PID that had any. */
  const gaps = new Map<number, number>();
  const readers: (PidReader | null)[] = new Array<PidReader | null>(PID_COUNT).fill(null);
  const place: PacketPlace = { pid: 0, offset: 0, unitStart: false, lost: false };
  let syncOffset = options.packeting?.syncOffset ?? 0;
  let stride = 0;

  const programs = createProgramTable({ handlers, fault, attach });
  const framer = createFramer({
    read,
    lost: onSyncLoss,
    release: keepLastPackets,
    ...(options.packeting && { packeting: options.packeting }),
  });

  function attach(pid: number, reader: PidReader | null) {
    readers[pid] = reader;
    onlyCounted[pid] = reader ? 0 : 1;
  }

  function fault(kind: keyof DemuxFaults, pid: number | null, offset: number) {
    faults[kind]++;
    handlers.fault?.({ kind, pid, offset });
  }

  function onSyncLoss(offset: number) {
    handlers.fault?.({ kind: 'syncLosses', pid: null, offset });
  }

  /** Hot loop: most packets need no call and no object, only a check of four bytes. */
  function read(bytes: Uint8Array, from: number, end: number, base: number): number {
    stride = framer.stride();
    syncOffset = framer.packeting()!.syncOffset;
    const last = end - PACKET_SIZE;
    const words = headersOf(bytes, from, stride);
    let at = from;
    while (at <= last && bytes[at] === SYNC_BYTE) {
      const second = bytes[at + 1]!;
      const flags = bytes[at + 3]!;
      const pid = ((second & 0x1f) << 8) | bytes[at + 2]!;
      if (flags === expected[pid] && onlyCounted[pid] === 1 && (second & (UNIT_START | TRANSPORT_ERROR)) === 0) {
        let count = 1;
        let next = HAS_PAYLOAD | ((flags + 1) & 0x0f);
        if (words !== null) {
          // Most packets follow one of the same stream. Compare their first four bytes in one step, and update the
          // state only after the last of them.
          const plain = SYNC_BYTE | (second << 8) | (bytes[at + 2]! << 16);
          while (at + stride <= last && words[(at + stride) >> 2] === (plain | (next << 24))) {
            at += stride;
            count++;
            next = HAS_PAYLOAD | ((next + 1) & 0x0f);
          }
        }
        packets[pid]! += count;
        expected[pid] = next;
        lastAt[pid] = at;
      } else {
        readPacket(bytes, at, pid, base + at - syncOffset);
      }
      at += stride;
    }
    return at;
  }

  /** Copies the last packet of each PID, since the next bytes may repeat it and this buffer will be reused. */
  function keepLastPackets(bytes: Uint8Array) {
    for (const pid of pids) {
      const at = lastAt[pid]!;
      if (at < 0) continue;
      let copy = retained.get(pid);
      if (!copy) {
        copy = new Uint8Array(PACKET_SIZE);
        retained.set(pid, copy);
      }
      copy.set(bytes.subarray(at, at + PACKET_SIZE));
      lastAt[pid] = -1;
    }
  }

  function readPacket(bytes: Uint8Array, at: number, pid: number, offset: number) {
    if (packets[pid]!++ === 0) {
      pids.push(pid);
      firstOffsets.push(offset);
    }
    const flags = bytes[at + 3]!;
    if (bytes[at + 1]! & TRANSPORT_ERROR) return fault('transportErrors', pid, offset);
    if (pid === NULL_PID) return;

    const end = at + PACKET_SIZE;
    const adaptation = flags & HAS_ADAPTATION ? 1 + bytes[at + 4]! : 0;
    const start = at + 4 + adaptation;
    if (start > end || (flags & (HAS_ADAPTATION | HAS_PAYLOAD)) === 0) return fault('brokenPackets', pid, offset);
    const adaptationFlags = adaptation > 1 ? bytes[at + 5]! : 0;
    const isAnnounced = (adaptationFlags & 0x80) !== 0;
    // A packet that cannot be read counts as missing: the gap is detected at the next readable one.
    const isScrambled = (flags & SCRAMBLED) !== 0;
    place.lost = false;
    if (flags & HAS_PAYLOAD && !isScrambled && !isNext(bytes, at, pid, offset, isAnnounced)) return;
    // The packet announces a discontinuity but has no payload, so the next packet begins with a new counter.
    if (isAnnounced && (flags & HAS_PAYLOAD) === 0) expected[pid] = 0;
    if (adaptationFlags & 0x10 && adaptation > 7) programs.clock(pid, readPcr(bytes, at + 6), isAnnounced);
    if (isScrambled) {
      scrambled[pid]!++;
      return fault('scrambledPackets', pid, offset);
    }
    if (!(flags & HAS_PAYLOAD) || start === end) return;

    place.pid = pid;
    place.offset = offset;
    place.unitStart = (bytes[at + 1]! & UNIT_START) !== 0;
    if (onlyCounted[pid] === 1 && !place.unitStart) return;
    const reader = readers[pid];
    if (reader) onlyCounted[pid] = reader.read(bytes, start, end, place) ? 0 : 1;
    else if (place.unitStart) programs.unknown(bytes, start, end, place);
  }

  /**
   * Checks the continuity counter (2.4.3.3); false if the packet is a repetition. Sets `place.lost` if packets are
   * missing.
   */
  function isNext(bytes: Uint8Array, at: number, pid: number, offset: number, isAnnounced: boolean): boolean {
    const counter = bytes[at + 3]! & 0x0f;
    const requested = expected[pid]!;
    if (requested !== 0 && counter !== (requested & 0x0f)) {
      if (counter === ((requested - 1) & 0x0f) && repeatsLast(bytes, at, pid)) {
        // Recorders write the known tables at the start of a file, so an early repetition of tables is not a duplicate.
        if (readers[pid]?.kind !== 'psi' || packets[pid]! > 2) fault('duplicates', pid, offset);
        return false;
      }
      place.lost = true;
      if (!isAnnounced) {
        gaps.set(pid, (gaps.get(pid) ?? 0) + 1);
        fault('continuityErrors', pid, offset);
      }
    }
    expected[pid] = HAS_PAYLOAD | ((counter + 1) & 0x0f);
    lastAt[pid] = at;
    return true;
  }

  function repeatsLast(bytes: Uint8Array, at: number, pid: number): boolean {
    const before = lastAt[pid]!;
    if (before >= 0) return isRepetition(bytes, before, bytes, at);
    const copy = retained.get(pid);
    return copy !== undefined && isRepetition(copy, 0, bytes, at);
  }

  function report(): DemuxReport {
    const { bytes, syncLosses, skippedBytes, trailingBytes } = framer.counts;
    return {
      bytes,
      packets: pids.reduce((sum, pid) => sum + packets[pid]!, 0),
      packetSize: framer.packeting()?.packetSize ?? null,
      patSeen: programs.patSeen(),
      programs: programs.list(),
      scrambledPids: pids.filter((pid) => scrambled[pid]! * 2 >= packets[pid]!),
      faults: { ...faults, syncLosses, skippedBytes },
      pids: pids.map((pid, i) => ({
        pid,
        packets: packets[pid]!,
        firstOffset: firstOffsets[i]!,
        continuityErrors: gaps.get(pid) ?? 0,
        kind: kindOf(pid),
      })),
      tables: programs.tables(),
      trailingBytes,
    };
  }

  function kindOf(pid: number): StreamKind | 'psi' | 'null' {
    if (pid === NULL_PID) return 'null';
    return readers[pid]?.kind ?? programs.kindOf(pid);
  }

  function end(): DemuxReport {
    framer.end();
    programs.end();
    return report();
  }

  return { push: framer.push, end, report, packeting: framer.packeting };
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Returns the bytes as 32-bit words if packets are aligned to word boundaries; otherwise null. */
function headersOf(bytes: Uint8Array, from: number, stride: number): Int32Array | null {
  const fits = (bytes.byteOffset & 3) === 0 && (from & 3) === 0 && (stride & 3) === 0;
  return fits && IS_LITTLE_ENDIAN ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : null;
}

function emptyFaults(): DemuxFaults {
  return {
    syncLosses: 0,
    skippedBytes: 0,
    continuityErrors: 0,
    duplicates: 0,
    transportErrors: 0,
    scrambledPackets: 0,
    brokenPackets: 0,
    badCrc: 0,
    brokenPes: 0,
    brokenCells: 0,
    badTimes: 0,
    clockJumps: 0,
  };
}
