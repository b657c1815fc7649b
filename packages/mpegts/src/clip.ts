import { createClipTables, payloadStart } from './clip-tables.ts';
import { createFramer } from './framer.ts';
import { NULL_PID, PACKET_SIZE, PID_COUNT, packetPid, SYNC_BYTE } from './packet.ts';
import { createPacketWriter, type PacketWriter } from './packet-writer.ts';
import type { Packeting } from './packeting.ts';
import { emptyPesHeader, readPesHeader, writeTimestamp } from './pes.ts';
import { createPictureEnd } from './picture-end.ts';
import type { ReadableAt } from './read-ahead.ts';
import { type RunPlace, runChangeSpan, runChangesOf, type Stamped } from './run-place.ts';
import { isVideo, KLVA, leadingVideo, STREAM_TYPE } from './stream-kind.ts';
import { distance, TICKS_PER_SECOND } from './timeline.ts';
import type { Program, ProgramStream } from './types.ts';

/** The part of a stream to cut, and facts about the stream. */
export type ClipOptions = {
  source: ReadableAt;
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  /** Byte offset of the packet in which the PES packet of the first picture, a key frame, begins. */
  offset: number;
  /** Byte range of the run of the clock that is cut, and of the runs next to it. */
  place: RunPlace;
  /** Whether the cut begins with the first picture of the run (`start`), and ends with its last (`end`). */
  complete: { start: boolean; end: boolean };
  /** Time from the first picture to the first one after the cut, in 90 kHz ticks. */
  lengthTicks: number;
  /** The program to cut; null selects the first one with a video. It is also used if the stream has no tables. */
  program?: Program | null;
  /**
   * Time from the first picture to the requested one, in ticks; the pictures before the requested one are counted in
   * the report.
   */
  askedTicks?: number;
};

export type ClipLabel = {
  /** Returns a KLV packet with the label for the moment `ticks` after the first picture. */
  set(ticks: number): Uint8Array;
};

/** Report of a cut, available once all its packets have been produced. */
export type ClipReport = {
  /** Byte range of the original from the first to the last packet of the cut. */
  bytes: [start: number, end: number];
  /** Number of PES packets whose time is in the cut but which the original sends outside this byte range. */
  outside: number;
  /** Number of pictures of the leading video, and of those before the requested one. */
  frames: number;
  framesBefore: number;
  /** PTS of the first picture, as written in the stream. */
  startPts: number;
  /** Whether a stream with the label was added. */
  labelled: boolean;
};

export type Clip = {
  /** Programs with their streams, according to the tables that apply at the beginning of the cut. */
  programs: Program[];
  /** The leading video. */
  video: ProgramStream;
  /** PTS of the first picture, as written in the stream. */
  startPts: number;
  /** The stream that `packets` adds for a label; null if the program's PMT has no room for it. */
  labelStream(): ProgramStream | null;
  /**
   * Yields the packets of the cut, 188 bytes each. `joined`: the cut follows another one, so each stream signals a
   * discontinuity.
   */
  packets(options?: { label?: ClipLabel | null; joined?: boolean }): AsyncGenerator<Uint8Array>;
  /** Report of the cut; available once `packets` has ended. */
  report(): ClipReport;
};

/** State shared by cuts that are joined into one stream: the continuity counters of the packets written. */
export type ClipJoint = { packets: PacketWriter };

const CHUNK = 1024 * 1024;
/** Distance before the first picture, in bytes, that is searched for PES packets of the cut and for the tables. */
const HEAD = 2 * 1024 * 1024;
/** Longer search distance, in bytes, for tables of streams that send them rarely. */
const TABLES = 16 * 1024 * 1024;
/**
 * Maximum difference from the last picture's time. A larger one means that the time is damaged or belongs to another
 * clock, since the clock of a run makes no such step.
 */
const FAR_TICKS = 10 * TICKS_PER_SECOND;
/** Maximum delay (2.5 s) with which PES packets of the cut may come after its last picture. */
const TAIL_TICKS = 2.5 * TICKS_PER_SECOND;
const TAIL = 16 * 1024 * 1024;

export const createClipJoint = (): ClipJoint => ({ packets: createPacketWriter() });

/**
 * Opens a cut, which extends from a key frame to the last picture before its end. It contains every PES packet of the
 * chosen program that belongs to the same run of the clock and whose PTS is within the cut, including those sent before
 * or after its pictures, and packets for the first picture with an earlier time. At an end where the cut is complete,
 * all packets of the run are included, whatever their PTS. Packets without PTS, and those of other programs, which have
 * their own clocks, are kept if they lie between the first and the last picture. Nothing is re-encoded and no packet is
 * changed: packets of 192 and 204 bytes are reduced to 188, null packets are dropped, and PAT and PMT are written from
 * the sections received, and once more at the start. Memory use does not grow with the length of the cut.
 *
 * @throws RangeError if no picture with a time begins at `offset`
 */
export async function openClip(options: ClipOptions, joint: ClipJoint = createClipJoint()): Promise<Clip> {
  const { source, packeting, offset, complete, program = null } = options;
  const { packetSize, syncOffset } = packeting;
  const tables = createClipTables();
  const { begin } = options.place;
  const limit = Math.min(options.place.limit, source.sizeBytes);

  async function readSpan(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, end - start));
    let length = 0;
    while (length < bytes.length) {
      const read = await source.read(bytes.subarray(length), start + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  }

  /** First packet boundary of the grid to which `offset` belongs. */
  const gridStart = offset % packetSize;
  /** Returns the packet boundary at most this far before `offset`. */
  const before = (distance: number) => Math.max(gridStart, offset - Math.floor(distance / packetSize) * packetSize);

  const headFrom = before(HEAD);
  const head = await readSpan(headFrom, offset);
  await findTables();
  if (program !== null) tables.assume(program);
  const { lead, video } = leading(tables.programs(), program);
  const startPts = await firstPts();
  let report: ClipReport | null = null;

  async function findTables() {
    eachPacket(head, (at) => tables.packet(head, at, null));
    const isKnown = () =>
      tables
        .programs()
        .some(({ number, streams }) =>
          program === null ? leadingVideo(streams, null) !== null : number === program.number,
        );
    for (let end = headFrom; !isKnown() && end > gridStart && offset - end < TABLES; ) {
      const start = before(offset - end + HEAD);
      const bytes = await readSpan(start, end);
      eachPacket(bytes, (at) => tables.packet(bytes, at, null));
      end = start;
    }
    for (let start = offset; !isKnown() && start < Math.min(limit, offset + TABLES); start += HEAD) {
      const bytes = await readSpan(start, Math.min(limit, start + HEAD));
      eachPacket(bytes, (at) => tables.packet(bytes, at, null));
    }
  }

  /** Calls `visit` with each packet of a piece that begins with a packet; other bytes between packets are skipped. */
  function eachPacket(bytes: Uint8Array, visit: (at: number, offset: number) => void) {
    const framer = createFramer({
      packeting,
      read(piece, from, end, base) {
        let at = from;
        for (; at + PACKET_SIZE <= end && piece[at] === SYNC_BYTE; at += packetSize) visitIn(piece, at, base + at);
        return at;
      },
    });
    function visitIn(piece: Uint8Array, at: number, place: number) {
      // The framer may pass a copy of the last bytes of the piece; the offsets in `bytes` are the same.
      if (piece === bytes) visit(at, place - syncOffset);
      else visit(place, place - syncOffset);
    }
    framer.push(bytes);
    framer.end();
  }

  async function firstPts(): Promise<number> {
    const first = await readSpan(offset, Math.min(limit, offset + 64 * packetSize));
    const header = emptyPesHeader();
    let pts = -1;
    eachPacket(first, (at) => {
      if (pts >= 0 || packetPid(first, at) !== video.pid || (first[at + 1]! & 0x40) === 0) return;
      const start = payloadStart(first, at);
      if (start !== null && readPesHeader(first, start, at + PACKET_SIZE, header) === 'whole') pts = header.pts;
    });
    if (pts < 0) throw new RangeError('No picture with a time begins there');
    return pts;
  }

  /**
   * Returns the offset at which each stream of the program changes to the run that begins at `at`. Empty if there is no
   * adjacent run, in which case only the position counts.
   */
  async function runChanges(at: number, previousBegin: number | null, nextLimit: number | null) {
    if (previousBegin === null || nextLimit === null) return new Map<number, number>();
    const [near, to] = runChangeSpan(at, previousBegin, nextLimit);
    const from = at - Math.floor((at - near) / packetSize) * packetSize;
    const bytes = await readSpan(from, Math.min(to, source.sizeBytes));
    const pids = new Set(lead.streams.map(({ pid }) => pid));
    const header = emptyPesHeader();
    const elements: Stamped[] = [];
    eachPacket(bytes, (packetAt, offsetAt) => {
      const pid = packetPid(bytes, packetAt);
      if (!pids.has(pid) || (bytes[packetAt + 1]! & 0x40) === 0) return;
      const start = payloadStart(bytes, packetAt);
      if (start === null || readPesHeader(bytes, start, packetAt + PACKET_SIZE, header) !== 'whole') return;
      const stamp = pid === video.pid && header.dts >= 0 ? header.dts : header.pts;
      if (stamp >= 0) elements.push({ pid, place: from + offsetAt, stamp });
    });
    return runChangesOf(elements, at, video.pid);
  }

  async function* packets({
    label = null,
    joined = false,
  }: {
    label?: ClipLabel | null;
    joined?: boolean;
  } = {}): AsyncGenerator<Uint8Array> {
    const out = joint.packets;
    if (label !== null) tables.announce(lead.number);
    const own = () => (label === null ? null : tables.ownPid());
    const { previousBegin, nextLimit } = options.place;
    const entries = await runChanges(begin, previousBegin, limit);
    const exits = await runChanges(limit, begin, nextLimit);
    /** End of the packets of this run that come after the first picture of the next run. */
    const lastExit = Math.max(limit, ...exits.values());
    const readTo = nextLimit === null ? limit : Math.min(source.sizeBytes, lastExit + HEAD);
    const cutter = createCutter();
    tables.write(out);
    eachPacket(head, (at, place) => cutter.lookBack(head, at, headFrom + place));
    eachPacket(head, (at, place) => cutter.head(head, at, headFrom + place));
    yield* given();
    const chunk = new Uint8Array(CHUNK - (CHUNK % packetSize));
    const framer = createFramer({ packeting, read: cutter.read });
    for (let at = offset; at < readTo && !cutter.isDone(); ) {
      const read = await source.read(chunk.subarray(0, Math.min(chunk.length, readTo - at)), at);
      if (read === 0) break;
      framer.push(chunk.subarray(0, read));
      at += read;
      yield* given();
    }
    framer.end();
    yield* given();
    report = { ...cutter.report(), startPts, labelled: own() !== null };

    function* given() {
      const bytes = out.take();
      if (bytes.length > 0) yield bytes.slice();
    }

    function createCutter() {
      const header = emptyPesHeader();
      /** State by PID: 0 while waiting for its next PES packet, 1 while a PES packet of the cut is open. */
      const open = new Uint8Array(PID_COUNT);
      const begun = new Uint8Array(PID_COUNT);
      const ofLead = new Uint8Array(PID_COUNT);
      for (const { pid, kind } of lead.streams) ofLead[pid] = isVideo(kind) && pid !== video.pid ? 2 : 1;
      ofLead[video.pid] = 3;
      const pictureEnd = createPictureEnd(options.lengthTicks);
      let isTail = false;
      let isDone = false;
      let nextLabel = 0;
      let [frames, framesBefore, outside] = [0, 0, 0];
      let endOffset = offset;
      /** Offset of the packet being read. */
      let place = 0;
      /** Time of the last picture in ticks relative to the first; 33-bit times are unwrapped to the nearest value. */
      let clock = 0;
      /** Time in ticks of the picture shown immediately before the first one; NaN if unknown. */
      let before = Number.NaN;

      /**
       * Returns the time of a PES packet in ticks after the first picture; NaN if no PES packet begins here, or if it
       * has no time of this clock.
       */
      function ticksOf(bytes: Uint8Array, at: number, stamp: 'pts' | 'dts'): number {
        const start = payloadStart(bytes, at);
        if (start === null || readPesHeader(bytes, start, at + PACKET_SIZE, header) !== 'whole') return Number.NaN;
        return ofClock(stamp === 'dts' && header.dts >= 0 ? header.dts : header.pts);
      }

      function ofClock(stamp: number): number {
        const step = stamp < 0 ? Number.NaN : distance(stamp, startPts + clock);
        return Math.abs(step) > FAR_TICKS ? Number.NaN : clock + step;
      }

      const isOfRun = (pid: number) => place >= (entries.get(pid) ?? begin) && place < (exits.get(pid) ?? limit);

      /**
       * Packets for the first picture may have an earlier time than it, but must be later than the picture before it.
       */
      const isInSpan = (ticks: number) =>
        (complete.start || ticks >= 0 || ticks > before) && (complete.end || ticks < options.lengthTicks);

      /**
       * Consecutive packets of the cut are collected and written in one piece; they must be flushed before anything
       * else is written.
       */
      let [runOf, runFrom, runTo] = [head, 0, 0];

      function copy(bytes: Uint8Array, at: number, pid: number) {
        if (joined && begun[pid] === 0) {
          flush();
          out.mark(bytes, at);
        }
        begun[pid] = 1;
        if (bytes !== runOf || at !== runTo) {
          flush();
          [runOf, runFrom] = [bytes, at];
        }
        runTo = at + PACKET_SIZE;
      }

      function flush() {
        if (runTo > runFrom) out.copyRun(runOf, runFrom, runTo);
        [runFrom, runTo] = [0, 0];
      }

      /** Finds the time of the last picture of the run that is shown before the first picture of the cut. */
      function lookBack(bytes: Uint8Array, at: number, offsetAt: number) {
        if (offsetAt < begin || packetPid(bytes, at) !== video.pid || (bytes[at + 1]! & 0x40) === 0) return;
        const ticks = ticksOf(bytes, at, 'pts');
        if (ticks < 0 && !(ticks < before)) before = ticks;
      }

      /** Handles a packet before the first picture: keeps PES packets of the same program whose time is in the cut. */
      function headPacket(bytes: Uint8Array, at: number, offsetAt: number) {
        const pid = packetPid(bytes, at);
        place = offsetAt;
        if (ofLead[pid] !== 1 || tables.isTable(pid)) return;
        if ((bytes[at + 1]! & 0x40) !== 0) {
          const ticks = ticksOf(bytes, at, 'pts');
          open[pid] = isOfRun(pid) && isInSpan(ticks) ? 1 : 0;
          outside += open[pid]!;
        }
        if (open[pid] === 1) copy(bytes, at, pid);
        flush();
      }

      function read(bytes: Uint8Array, from: number, end: number, base: number): number {
        let at = from;
        for (; at + PACKET_SIZE <= end && bytes[at] === SYNC_BYTE; at += packetSize) {
          place = offset + base + at - syncOffset;
          packet(bytes, at);
        }
        // Flush now, since the bytes are valid only during this call.
        flush();
        return at;
      }

      function packet(bytes: Uint8Array, at: number) {
        if (isDone) return;
        const pid = packetPid(bytes, at);
        if (pid === NULL_PID) return;
        const isBeyond = place >= limit;
        if (isBeyond && !isTail) beginTail();
        if (tables.isTable(pid)) flush();
        if (tables.packet(bytes, at, isTail ? null : out)) {
          if (!isTail) endOffset = place + packetSize;
          return;
        }
        if (pid === own()) return;
        const isStart = (bytes[at + 1]! & 0x40) !== 0;
        if (pid === video.pid && isStart && !isBeyond) onPicture(bytes, at);
        if (isTail) return tailPacket(bytes, at, pid, isStart);
        if (isStart) open[pid] = ofLead[pid] !== 1 || isOfSpan(bytes, at, pid) ? 1 : 0;
        // Packets without payload carry only the clock reference.
        const isClock = (bytes[at + 3]! & 0x10) === 0;
        if (open[pid] === 1 || isClock) copy(bytes, at, pid);
        endOffset = place + packetSize;
      }

      function isOfSpan(bytes: Uint8Array, at: number, pid: number): boolean {
        if (!isOfRun(pid)) return false;
        const ticks = ticksOf(bytes, at, 'pts');
        return Number.isNaN(ticks) || isInSpan(ticks);
      }

      function beginTail() {
        isTail = true;
        open[video.pid] = 0;
      }

      function onPicture(bytes: Uint8Array, at: number) {
        const dts = ticksOf(bytes, at, 'dts');
        const pts = ofClock(header.pts);
        // A time that goes backwards is damaged, since decoding times only increase within a run.
        if (dts > clock) clock = dts;
        const isShown = Number.isNaN(pts) ? dts : pts;
        if (!isTail && !complete.end && pictureEnd.isBefore(isShown, dts)) beginTail();
        if (isTail) {
          isDone ||= dts >= options.lengthTicks + TAIL_TICKS;
          return;
        }
        frames += 1;
        if (!Number.isNaN(isShown)) pictureEnd.take(isShown);
        if (pts < (options.askedTicks ?? 0)) framesBefore += 1;
        const pid = own();
        if (label === null || pid === null || !(dts >= nextLabel || frames === 1)) return;
        const ticks = Number.isNaN(pts) ? dts : Math.max(0, pts);
        flush();
        out.unit(
          pid,
          klvPes(label.set(ticks), startPts + ticks),
          joined && begun[pid] === 0 ? { discontinuity: true } : {},
        );
        begun[pid] = 1;
        nextLabel = Math.max(1, Math.floor(dts / TICKS_PER_SECOND) + 1) * TICKS_PER_SECOND;
      }

      /**
       * Handles a packet after the last picture: open PES packets are completed, and late ones that belong to the cut
       * are kept.
       */
      function tailPacket(bytes: Uint8Array, at: number, pid: number, isStart: boolean) {
        if (place - endOffset > TAIL) isDone = true;
        if (pid === video.pid || isDone) return;
        if (isStart) {
          const ticks = ofLead[pid] === 1 && isOfRun(pid) ? ticksOf(bytes, at, 'pts') : Number.NaN;
          const isLate = complete.end ? ofLead[pid] === 1 && isOfRun(pid) : isInSpan(ticks);
          open[pid] = isLate ? 1 : 0;
          outside += open[pid]!;
          if (place >= lastExit && !open.includes(1)) isDone = true;
        }
        if (open[pid] === 1 && (bytes[at + 3]! & 0x10) !== 0) copy(bytes, at, pid);
      }

      return {
        read,
        lookBack,
        head: headPacket,
        isDone: () => isDone,
        report: () => ({ bytes: [offset, endOffset] as [number, number], outside, frames, framesBefore }),
      };
    }
  }

  function labelStream(): ProgramStream | null {
    const pid = tables.announce(lead.number);
    return pid === null ? null : { pid, streamType: STREAM_TYPE.privatePes, kind: 'klvAsync', registration: KLVA };
  }

  return {
    programs: tables.programs(),
    video,
    startPts,
    labelStream,
    packets,
    report() {
      if (report === null) throw new Error('The clip has not been read to its end');
      return report;
    },
  };
}

/** Returns the chosen program and its video. @throws RangeError if there is none */
function leading(programs: readonly Program[], requested: Program | null): { lead: Program; video: ProgramStream } {
  const lead =
    programs.find(({ number }) => number === requested?.number) ??
    programs.find(({ streams }) => leadingVideo(streams, null) !== null);
  const before = requested && leadingVideo(requested.streams, null);
  const video = lead && leadingVideo(lead.streams, before);
  if (!lead || !video) throw new RangeError('The stream has no video');
  return { lead, video };
}

/** Returns a PES packet with PTS that contains a KLV packet (MISB ST 1402, asynchronous). */
function klvPes(set: Uint8Array, ptsTicks: number): Uint8Array {
  const packet = new Uint8Array(14 + set.length);
  const length = packet.length - 6;
  packet.set([0, 0, 1, 0xbd, length >> 8, length & 0xff, 0x84, 0x80, 5]);
  writeTimestamp(packet, 9, 2, Math.round(ptsTicks));
  packet.set(set, 14);
  return packet;
}
