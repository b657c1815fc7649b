import { createDemuxer, type DemuxOptions } from './demuxer.ts';
import { createGrowingBuffer } from './growing-buffer.ts';
import { createParameterSetKeeper, type ParameterSetKeeper, type ParameterSets } from './parameter-sets.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import { leadingVideo } from './stream-kind.ts';
import type {
  AccessUnit,
  DemuxReport,
  KlvPayload,
  Program,
  ProgramStream,
  VideoFormat,
  VideoKind,
  VideoPacket,
} from './types.ts';

/** One coded picture with its bytes. The object and `bytes` are reused, so they must be read during the call. */
export type VideoUnit = {
  kind: VideoKind;
  /** 90 kHz ticks as in `AccessUnit`. A picture without a time gets the time of the previous picture plus one step. */
  ptsTicks: number;
  dtsTicks: number;
  keyframe: boolean;
  run: number;
  /**
   * Number of pictures omitted before this one because packets of them are missing; if not 0, this one is a key frame.
   */
  leftOut: number;
  /**
   * Parameter sets that apply to this picture; null for MPEG-2 and MPEG-4 part 2, and until the stream has sent them.
   */
  sets: ParameterSets | null;
  /** Format according to the parameter sets or the sequence header; null before any. */
  format: VideoFormat | null;
  /** The picture's part of the elementary stream, in [start, end); Annex B for H.264 and H.265. */
  bytes: Uint8Array;
  start: number;
  end: number;
};

export type UnitReaderHandlers = {
  unit(unit: VideoUnit): void;
  klv?(payload: KlvPayload): void;
};

/** Reads the pictures of one transport stream. */
export type UnitReader = {
  /** Reads the next bytes, in pieces of any size; the bytes are not kept. */
  push(bytes: Uint8Array): void;
  /** Notes that bytes are missing before the next ones. */
  lose(): void;
  end(): DemuxReport;
};

/** Maximum size of a picture in bytes; a larger one is omitted. Even 8K video at the highest quality stays below. */
const PICTURE_LIMIT = 16 * 1024 * 1024;
/** Maximum number of complete pictures that wait for their time, which the clock holds back at a jump. */
const WAITING_LIMIT = 4;
/** Step in ticks until two pictures with times have been read; corresponds to 25 pictures per second. */
const FIRST_STEP = 3600;

type Times = Pick<AccessUnit, 'offset' | 'ptsTicks' | 'dtsTicks' | 'keyframe' | 'run'> & {
  format: VideoFormat | null;
};
type Picture = { offset: number; damaged: boolean; lostBefore: boolean };

/**
 * Creates a reader for the pictures of the first video stream, each as one access unit with its bytes.
 *
 * Its output begins at a key frame. After a loss, everything is omitted until the next key frame, so that a decoder of
 * its output encounters no damage. A picture is complete when the next one begins, or when its PES packet has reached
 * its stated length. The output does not depend on how the stream is divided. Memory: one picture, up to 16 MiB.
 */
export function createUnitReader(handlers: UnitReaderHandlers, options: DemuxOptions = {}): UnitReader {
  const buffer = createGrowingBuffer(PICTURE_LIMIT, { left: PICTURE_LIMIT });
  const header = emptyPesHeader();
  const unit: VideoUnit = {
    kind: 'h264',
    ptsTicks: 0,
    dtsTicks: 0,
    keyframe: false,
    run: 0,
    leftOut: 0,
    sets: null,
    format: null,
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
  };
  let pid = -1;
  let lead: ProgramStream | null = null;
  let format: VideoFormat | null = null;
  /** Size of the open PES packet in bytes, according to its length field; 0: unbounded. */
  let openSize = 0;
  let sets: ParameterSetKeeper | null = null;
  let open: Picture | null = null;
  /** Complete pictures, with copies of their bytes, that wait until the clock is certain of their times. */
  let waiting: (Picture & { bytes: Uint8Array })[] = [];
  let times: Times[] = [];
  let waitsForKey = true;
  let isLost = false;
  let leftOut = 0;
  let last: { dts: number; step: number } | null = null;

  const demuxer = createDemuxer(
    {
      program: choose,
      accessUnit,
      videoPayload,
      ...(handlers.klv && { klv: handlers.klv }),
      video(from, next) {
        if (from === pid) format = next;
      },
    },
    options,
  );

  /** Chooses the stream to read: the first video, which is kept as long as a PMT lists it. */
  function choose({ streams }: Program) {
    const first = leadingVideo(streams, lead);
    if (first === null || (first.pid === pid && first.kind === unit.kind)) return;
    if (isListed()) return;
    close();
    lead = first;
    pid = first.pid;
    format = null;
    unit.kind = first.kind as VideoUnit['kind'];
    sets = unit.kind === 'h264' || unit.kind === 'h265' ? createParameterSetKeeper(unit.kind) : null;
    waiting = [];
    times = [];
    waitsForKey = true;
    last = null;
  }

  /** Whether any program still lists the current stream. */
  function isListed(): boolean {
    const listed = demuxer.report().programs.flatMap((program) => program.streams);
    return listed.some((stream) => stream.pid === pid && stream.kind === unit.kind);
  }

  function accessUnit(next: AccessUnit) {
    if (next.pid !== pid) return;
    const { offset, ptsTicks, dtsTicks, keyframe, run } = next;
    times.push({ offset, ptsTicks, dtsTicks, keyframe, run, format });
    while (waiting[0] && hasTimeFor(waiting[0])) {
      const picture = waiting.shift()!;
      giveAtItsTime(picture, picture.bytes, picture.bytes.length);
    }
  }

  /**
   * Whether it is known which time the picture has. Times come in picture order, so if the next time belongs to a later
   * picture, this one has none.
   */
  function hasTimeFor({ offset }: Picture): boolean {
    while (times[0] && times[0].offset < offset) times.shift();
    return times.length > 0;
  }

  function videoPayload(packet: VideoPacket, bytes: Uint8Array, start: number, end: number) {
    if (packet.pid !== pid) return;
    if (packet.unitStart) {
      if (open && packet.lost) open.damaged = true;
      close();
      open = { offset: packet.offset, damaged: false, lostBefore: packet.lost || isLost };
      isLost = false;
      buffer.clear();
      openSize = 0;
    }
    if (open === null) return;
    if (packet.lost && !packet.unitStart) open.damaged = true;
    if (open.damaged) return;
    if (!buffer.append(bytes, start, end)) open.damaged = true;
    if (packet.unitStart && readPesHeader(buffer.bytes(), 0, buffer.length(), header) === 'whole')
      openSize = header.size;
    if (openSize > 0 && buffer.length() >= openSize) close();
  }

  function close() {
    if (open === null) return;
    const picture = open;
    open = null;
    if (waiting.length === 0 && hasTimeFor(picture)) {
      giveAtItsTime(picture, buffer.bytes(), buffer.length());
      return;
    }
    waiting.push({ ...picture, bytes: buffer.bytes().slice(0, buffer.length()) });
    if (waiting.length > WAITING_LIMIT) {
      waiting.shift();
      leaveOut();
    }
  }

  /**
   * Delivers a picture with its time. A picture without a listed time did not begin with a PES packet and is omitted.
   */
  function giveAtItsTime(picture: Picture, bytes: Uint8Array, length: number) {
    const time = times[0]?.offset === picture.offset ? times.shift()! : null;
    if (time === null || picture.damaged) return leaveOut();
    if (readPesHeader(bytes, 0, length, header) !== 'whole') return leaveOut();
    if (picture.lostBefore) waitsForKey = true;
    sets?.read(bytes, header.headSize, length);
    if (waitsForKey && !time.keyframe) {
      leftOut++;
      return;
    }
    waitsForKey = false;
    give(time, bytes, length);
  }

  function leaveOut() {
    waitsForKey = true;
    leftOut++;
  }

  function give({ ptsTicks, dtsTicks, keyframe, run, format: said }: Times, bytes: Uint8Array, length: number) {
    const dts = dtsTicks ?? (last === null ? null : last.dts + last.step);
    if (dts === null) return;
    if (last !== null && run === unit.run && dts > last.dts) last.step = dts - last.dts;
    last = { dts, step: last?.step ?? FIRST_STEP };
    unit.dtsTicks = dts;
    unit.ptsTicks = ptsTicks ?? dts;
    unit.keyframe = keyframe;
    unit.run = run;
    unit.leftOut = leftOut;
    leftOut = 0;
    unit.sets = sets?.current() ?? null;
    unit.format = said;
    unit.bytes = bytes;
    unit.start = header.headSize;
    unit.end = header.size > 0 ? Math.min(header.size, length) : length;
    handlers.unit(unit);
  }

  function lose() {
    isLost = true;
    if (open) open.damaged = true;
  }

  function end(): DemuxReport {
    // Ending the demuxer first provides the time of the last picture, which can then be completed.
    const report = demuxer.end();
    close();
    for (const picture of waiting) if (hasTimeFor(picture)) giveAtItsTime(picture, picture.bytes, picture.bytes.length);
    waiting = [];
    return report;
  }

  return { push: demuxer.push, lose, end };
}
