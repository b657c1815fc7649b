import { findStartCode } from './annex-b.ts';
import { H264_NAL } from './h264.ts';
import { H265_NAL } from './h265.ts';
import { CELL_HEAD, FRAGMENT } from './metadata-cells.ts';
import { createPacketWriter, type PacketMarks } from './packet-writer.ts';
import { writeTimestamp } from './pes.ts';
import { isVideo, KLVA, STREAM_TYPE } from './stream-kind.ts';
import { patSection, pmtSection } from './table-writer.ts';
import { TICKS_PER_SECOND } from './timeline.ts';
import type { Program, ProgramStream, StreamKind } from './types.ts';

/** One elementary stream to be written. */
export type MuxerStream = {
  pid: number;
  kind: StreamKind;
  /** Stream type; required for `other` and `otherAudio`, otherwise defaults to that of the kind. */
  streamType?: number;
};

/** The program that a muxer writes, and the intervals of tables and clock. */
export type MuxerOptions = {
  /** Called with whole packets, at least once per unit; their memory is reused afterwards. */
  write(bytes: Uint8Array): void;
  /** Streams in the order of the PMT. */
  streams: MuxerStream[];
  programNumber?: number;
  pmtPid?: number;
  /**
   * PID of the stream that carries the program clock. Defaults to the first video, or to the first stream if there is
   * no video.
   */
  pcrPid?: number;
  /** Interval of PAT and PMT in 90 kHz ticks; the tables are also written before every key frame. */
  tableEveryTicks?: number;
  pcrEveryTicks?: number;
  /**
   * Time by which the program clock precedes the DTS, which is the time that a decoder has for buffering, in 90 kHz
   * ticks.
   */
  pcrLeadTicks?: number;
};

/** One access unit, several audio frames, or one KLV packet. */
export type MuxerUnit = {
  pid: number;
  /** PTS in 90 kHz ticks, wrapped to 33 bits when written; null for asynchronous KLV without PTS. */
  ptsTicks: number | null;
  /** DTS; may be omitted if equal to the PTS. */
  dtsTicks?: number | null;
  keyframe?: boolean;
  bytes: Uint8Array;
};

/** A writer of transport packets; see `createMuxer`. */
export type Muxer = {
  /**
   * Writes one unit. Units must come in DTS order across all streams.
   *
   * @throws RangeError when the PID was not announced.
   */
  unit(unit: MuxerUnit): void;
  /** Sets the streams from the next unit on; the PMT is sent again with its next version number. */
  remap(streams: MuxerStream[]): void;
  /** Marks the end of the units. There is nothing to flush. */
  end(): void;
  bytesWritten(): number;
};

const TYPE_OF_KIND: Record<Exclude<StreamKind, 'other' | 'otherAudio'>, number> = {
  h264: STREAM_TYPE.h264,
  h265: STREAM_TYPE.h265,
  mpeg2: STREAM_TYPE.mpeg2Video,
  mpeg4: STREAM_TYPE.mpeg4Video,
  aac: STREAM_TYPE.aacAdts,
  mpegAudio: STREAM_TYPE.mpeg1Audio,
  aacLatm: STREAM_TYPE.aacLatm,
  ac3: STREAM_TYPE.ac3,
  eac3: STREAM_TYPE.eac3,
  klvAsync: STREAM_TYPE.privatePes,
  klvSync: STREAM_TYPE.metadataPes,
};

/** Values of stream_id (ISO/IEC 13818-1, table 2-22): private 1, metadata, audio, video. */
const STREAM_ID = { private: 0xbd, metadata: 0xfc, audio: 0xc0, video: 0xe0 } as const;

/**
 * Access unit delimiters that allow any slice type; H.264 and H.265 require delimiters in a transport stream (2.14.1,
 * 2.17.1).
 */
const H264_DELIMITER = [0, 0, 0, 1, 0x09, 0xf0];
const H265_DELIMITER = [0, 0, 0, 1, 0x46, 0x01, 0x50];

/** Maximum payload in bytes of a PES packet that is not video, since its length field has 16 bits. */
const MAX_PES_PAYLOAD_BYTES = 65_000;
/** Maximum pause, in ticks, that is filled with clock packets; after a longer one, the clock restarts. */
const PAUSE_MAX = 10 * TICKS_PER_SECOND;

type State = { stream: ProgramStream; cellSequence: number };

/**
 * Creates a muxer for one program.
 *
 * @throws RangeError when a PID is used twice or out of range, or an `other` stream lacks its type.
 */
export function createMuxer(options: MuxerOptions): Muxer {
  const { write, tableEveryTicks = 9000, pcrEveryTicks = 3600, pcrLeadTicks = 45_000 } = options;
  let program = toProgram(options);
  let states = statesOf(program);
  const pat = patSection(program.number, program.pmtPid);
  let pmt = pmtSection(program);
  const packets = createPacketWriter();
  let time: number | null = null;
  let tablesAt: number | null = null;
  let clockAt: number | null = null;
  let written = 0;

  function unit(next: MuxerUnit) {
    const state = states.get(next.pid);
    if (!state) throw new RangeError(`PID ${next.pid} was not announced to the muxer`);
    time = next.dtsTicks ?? next.ptsTicks ?? time ?? 0;
    writeTables(time, next.keyframe ?? false);
    const marks = writeClock(time, next);
    const { kind } = state.stream;
    if (kind === 'klvSync') writeCells(state, next, marks);
    else if (isVideo(kind)) packets.unit(next.pid, pesPacket(kind, next, delimited(kind, next.bytes)), marks);
    else writeParts(kind, next, marks);
    const bytes = packets.take();
    written += bytes.length;
    write(bytes);
  }

  function remap(streams: MuxerStream[]) {
    program = { ...toProgram({ ...options, streams }), version: (program.version + 1) & 0x1f };
    states = statesOf(program, states);
    pmt = pmtSection(program);
    tablesAt = null;
  }

  function writeTables(now: number, isKeyframe: boolean) {
    const isDue = tablesAt === null || now < tablesAt - pcrLeadTicks || now - tablesAt >= tableEveryTicks;
    if (!isDue && !isKeyframe) return;
    packets.section(0, pat);
    packets.section(program.pmtPid, pmt);
    tablesAt = now;
  }

  /** Fills pauses with packets that carry only the clock. Returns the marks for the first packet of the unit. */
  function writeClock(now: number, next: MuxerUnit): PacketMarks {
    // Units of live streams come slightly out of order. A unit this late is still in time, so the clock is left
    // unchanged.
    const isLate = clockAt !== null && now < clockAt && clockAt - now < pcrLeadTicks;
    if (isLate) return { randomAccess: next.keyframe ?? false };
    const isJump = clockAt !== null && (now < clockAt || now - clockAt > PAUSE_MAX);
    while (!isJump && clockAt !== null && now - clockAt > pcrEveryTicks) {
      clockAt += pcrEveryTicks;
      packets.clock(program.pcrPid, { pcrTicks: clockAt - pcrLeadTicks });
    }
    const randomAccess = next.keyframe ?? false;
    if (next.pid !== program.pcrPid) {
      if (!isJump && clockAt !== null) return { randomAccess };
      packets.clock(program.pcrPid, { pcrTicks: now - pcrLeadTicks, discontinuity: isJump });
      clockAt = now;
      return { randomAccess };
    }
    clockAt = now;
    return { randomAccess, pcrTicks: now - pcrLeadTicks, discontinuity: isJump };
  }

  /** Writes metadata access unit cells (2.12.4); a unit too long for one PES packet is split into several. */
  function writeCells(state: State, next: MuxerUnit, marks: PacketMarks) {
    const parts = Math.max(1, Math.ceil(next.bytes.length / MAX_PES_PAYLOAD_BYTES));
    for (let part = 0; part < parts; part++) {
      const bytes = next.bytes.subarray(part * MAX_PES_PAYLOAD_BYTES, (part + 1) * MAX_PES_PAYLOAD_BYTES);
      const cell = new Uint8Array(CELL_HEAD + bytes.length);
      // Service 0; no decoder configuration; random access; reserved bits set to 1.
      cell.set([0, state.cellSequence, (fragmentOf(part, parts) << 6) | 0x1f, bytes.length >> 8, bytes.length & 0xff]);
      cell.set(bytes, CELL_HEAD);
      state.cellSequence = (state.cellSequence + 1) & 0xff;
      packets.unit(next.pid, pesPacket('klvSync', next, [cell]), part === 0 ? marks : {});
    }
  }

  /** Writes audio frames or asynchronous KLV. Only the first part carries the time stamp. */
  function writeParts(kind: StreamKind, next: MuxerUnit, marks: PacketMarks) {
    for (let from = 0; from === 0 || from < next.bytes.length; from += MAX_PES_PAYLOAD_BYTES) {
      const bytes = next.bytes.subarray(from, from + MAX_PES_PAYLOAD_BYTES);
      const times = from === 0 ? next : { ...next, ptsTicks: null, dtsTicks: null };
      packets.unit(next.pid, pesPacket(kind, times, [bytes]), from === 0 ? marks : {});
    }
  }

  return { unit, remap, end: () => {}, bytesWritten: () => written };
}

function toProgram(options: MuxerOptions): Program {
  const { streams, programNumber = 1, pmtPid = 0x1000 } = options;
  const pids = [pmtPid, ...streams.map(({ pid }) => pid)];
  const isAllowed = pids.every((pid) => Number.isInteger(pid) && pid >= 0x10 && pid < 0x1fff);
  if (streams.length === 0 || !isAllowed || new Set(pids).size !== pids.length) {
    throw new RangeError(`PIDs must be different and lie between 16 and 8190: ${pids.join(', ')}`);
  }
  const clock = streams.find(({ kind }) => isVideo(kind)) ?? streams[0]!;
  return {
    number: programNumber,
    pmtPid,
    pcrPid: options.pcrPid ?? clock.pid,
    version: 0,
    streams: streams.map(toProgramStream),
  };
}

/** A stream that remains in the program keeps its sequence counter of metadata cells. */
function statesOf(program: Program, before?: ReadonlyMap<number, State>): Map<number, State> {
  return new Map(
    program.streams.map((stream) => [stream.pid, { stream, cellSequence: before?.get(stream.pid)?.cellSequence ?? 0 }]),
  );
}

function toProgramStream({ pid, kind, streamType }: MuxerStream): ProgramStream {
  const type = streamType ?? (kind === 'other' || kind === 'otherAudio' ? undefined : TYPE_OF_KIND[kind]);
  if (type === undefined) throw new RangeError(`PID ${pid} of kind ${kind} needs a streamType`);
  return { pid, kind, streamType: type, registration: kind === 'klvAsync' || kind === 'klvSync' ? KLVA : null };
}

function fragmentOf(part: number, parts: number): number {
  if (parts === 1) return FRAGMENT.complete;
  if (part === 0) return FRAGMENT.first;
  return part === parts - 1 ? FRAGMENT.last : FRAGMENT.middle;
}

/** Returns the unit, preceded by an access unit delimiter if it has none. */
function delimited(kind: StreamKind, bytes: Uint8Array): Uint8Array[] {
  if (kind !== 'h264' && kind !== 'h265') return [bytes];
  const first = bytes[findStartCode(bytes, 0, Math.min(bytes.length, 16)) + 3] ?? 0;
  const isDelimited = kind === 'h264' ? (first & 0x1f) === H264_NAL.delimiter : first >> 1 === H265_NAL.delimiter;
  if (isDelimited) return [bytes];
  return [Uint8Array.from(kind === 'h264' ? H264_DELIMITER : H265_DELIMITER), bytes];
}

/** Returns one PES packet (2.4.3.6) that contains the given parts. */
export function pesPacket(kind: StreamKind, { ptsTicks, dtsTicks }: MuxerUnit, parts: Uint8Array[]): Uint8Array {
  const hasPts = ptsTicks !== null;
  const hasDts = hasPts && dtsTicks !== undefined && dtsTicks !== null && dtsTicks !== ptsTicks;
  const fields = hasDts ? 10 : hasPts ? 5 : 0;
  const head = 9 + fields;
  const size = parts.reduce((sum, part) => sum + part.length, head);
  const packet = new Uint8Array(size);
  // Video is written with unbounded length, which is allowed (2.4.3.7), so that the size of a picture does not matter.
  const length = isVideo(kind) ? 0 : size - 6;
  // Data alignment flag: the payload begins with its access unit.
  packet.set([0, 0, 1, streamIdOf(kind), length >> 8, length & 0xff, 0x84, (hasDts ? 3 : hasPts ? 2 : 0) << 6, fields]);
  if (hasPts) writeTimestamp(packet, 9, hasDts ? 3 : 2, Math.round(ptsTicks));
  if (hasDts) writeTimestamp(packet, 14, 1, Math.round(dtsTicks));
  let at = head;
  for (const part of parts) {
    packet.set(part, at);
    at += part.length;
  }
  return packet;
}

function streamIdOf(kind: StreamKind): number {
  if (isVideo(kind)) return STREAM_ID.video;
  if (kind === 'klvSync') return STREAM_ID.metadata;
  const isMpegSound = kind === 'aac' || kind === 'aacLatm' || kind === 'mpegAudio' || kind === 'otherAudio';
  return isMpegSound ? STREAM_ID.audio : STREAM_ID.private;
}
