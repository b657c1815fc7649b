import { type Budget, createGrowingBuffer } from './growing-buffer.ts';
import { emptyPesHeader, readPesHeader } from './pes.ts';
import { createPictureScanner } from './picture-scanner.ts';
import type { PictureStamp } from './picture-stamp.ts';
import type { VideoFormat, VideoKind } from './types.ts';

/** One access unit as described by the header of its PES packet; valid only during the call. */
export type RawUnit = {
  offset: number;
  /** 33-bit times in 90 kHz ticks, -1 if absent; `dts` equals `pts` if the PES packet has only a PTS. */
  pts: number;
  dts: number;
  hasDts: boolean;
  keyframe: boolean;
  gradual: boolean;
  stamp: PictureStamp | null;
  patCount: number;
  pmtCount: number;
};

/** Reads the header of each PES packet of one video stream. */
export type VideoStream = {
  /** Begins a PES packet with these bytes. Returns true if more of the packet is needed. */
  begin(bytes: Uint8Array, start: number, end: number): boolean;
  /** Adds the bytes that follow. Returns true if still more are needed. */
  append(bytes: Uint8Array, start: number, end: number): boolean;
  /** Finishes the unit: no more of it will come. */
  finish(): void;
  /** Set by the owner before `begin`: offset and table counts of the unit that begins. */
  unit: RawUnit;
};

type Options = {
  kind: VideoKind;
  budget: Budget;
  onUnit(unit: RawUnit): void;
  onFormat(format: VideoFormat): void;
  onBroken(offset: number): void;
};

/** Maximum number of bytes that are searched for the first slice; a unit without a slice in them is not a key frame. */
const HEAD_LIMIT = 65_536;

/** Creates the reader of one stream. */
export function createVideoStream({ kind, budget, onUnit, onFormat, onBroken }: Options): VideoStream {
  const header = emptyPesHeader();
  const scanner = createPictureScanner(kind);
  const head = createGrowingBuffer(HEAD_LIMIT, budget);
  const unit: RawUnit = {
    offset: 0,
    pts: -1,
    dts: -1,
    hasDts: false,
    keyframe: false,
    gradual: false,
    stamp: null,
    patCount: 0,
    pmtCount: 0,
  };
  let open = false;
  let headRead = false;
  let format: VideoFormat | null = null;
  let broken = 0;

  function begin(bytes: Uint8Array, start: number, end: number): boolean {
    open = true;
    headRead = false;
    scanner.begin();
    // The first slice is nearly always in the first packet, in which case nothing is copied.
    if (readUnit(bytes, start, end, false)) return false;
    head.clear();
    if (!head.append(bytes, start, end)) return give();
    return true;
  }

  function append(bytes: Uint8Array, start: number, end: number): boolean {
    if (!open) return false;
    if (!head.append(bytes, start, end)) return give();
    return !readUnit(head.bytes(), 0, head.length(), false);
  }

  /** Returns true if the unit was delivered or found to be broken. */
  function readUnit(bytes: Uint8Array, start: number, end: number, isAll: boolean): boolean {
    if (!headRead) {
      const state = readPesHeader(bytes, start, end, header);
      if (state === 'short' && !isAll) return false;
      if (state !== 'whole') {
        open = false;
        onBroken(unit.offset);
        return true;
      }
      headRead = true;
    }
    if (!scanner.scan(bytes, start + header.headSize, end, isAll)) return false;
    give();
    return true;
  }

  function give(): false {
    open = false;
    unit.pts = header.pts;
    unit.dts = header.dts >= 0 ? header.dts : header.pts;
    unit.hasDts = header.dts >= 0;
    unit.keyframe = scanner.isKeyframe();
    unit.gradual = scanner.isGradual();
    unit.stamp = scanner.stamp();
    const next = scanner.format();
    if (next !== format && next !== null) {
      format = next;
      onFormat(next);
    }
    if (scanner.broken() > broken) {
      broken = scanner.broken();
      onBroken(unit.offset);
    }
    onUnit(unit);
    return false;
  }

  function finish() {
    if (open) readUnit(head.bytes(), 0, head.length(), true);
  }

  return { begin, append, finish, unit };
}
