import { FormatError } from '@osprey/bytes';
import { createSeenBytes, findStartCode, type SeenBytes } from './annex-b.ts';
import { H264_NAL, hasRecoveryPoint, isIntraSlice, readH264Sps, sliceType } from './h264.ts';
import { H265_NAL, readH265Sps } from './h265.ts';
import { isIntraPicture, isSequenceExtension, MPEG2_CODE, readMpeg2Sequence } from './mpeg2.ts';
import { isIntraVop, MPEG4_CODE, readMpeg4Layer } from './mpeg4.ts';
import { type PictureStamp, readPictureStamp } from './picture-stamp.ts';
import type { VideoFormat, VideoKind } from './types.ts';

/** Reads the beginning of each access unit, up to its first slice. */
export type PictureScanner = {
  /** Begins a new access unit. */
  begin(): void;
  /**
   * Scans all bytes of the unit received so far, in [start, end); `isAll` means that no more will come. Returns true
   * once the unit's properties are known; until then, it must be called again with more bytes.
   */
  scan(bytes: Uint8Array, start: number, end: number, isAll: boolean): boolean;
  /** Whether decoding can start at this unit; valid once `scan` has returned true. */
  isKeyframe(): boolean;
  /**
   * Whether the unit is a key frame without an intra picture: a complete picture is available only some pictures later
   * (gradual refresh).
   */
  isGradual(): boolean;
  /** Returns the time stated in the unit itself; null if there is none. */
  stamp(): PictureStamp | null;
  /** Returns the format according to the last parameter sets; null before any. */
  format(): VideoFormat | null;
  /** Returns the number of units with broken parameter sets. */
  broken(): number;
};

/** Result of inspecting one unit: go on with the next, the access unit is decided, or more bytes are needed. */
type Verdict = 'goOn' | 'decided' | 'more';

/**
 * Inspects one NAL unit or start code, whose code is at `code` and whose end is at `next`; -1 while the end is unknown.
 */
type Inspect = (bytes: Uint8Array, code: number, next: number) => Verdict;

type Findings = {
  keyframe: boolean;
  gradual: boolean;
  recovery: boolean;
  parameters: boolean;
  sequenceAt: number;
  stamp: PictureStamp | null;
};

/** Creates a scanner for one video stream. */
export function createPictureScanner(kind: VideoKind): PictureScanner {
  const found: Findings = {
    keyframe: false,
    gradual: false,
    recovery: false,
    parameters: false,
    sequenceAt: -1,
    stamp: null,
  };
  /** Parameter sets read so far: a stream may alternate between several, and repeat the same ones often. */
  const sets: { bytes: SeenBytes; format: VideoFormat | null }[] = [];
  let parsed = 0;
  let format: VideoFormat | null = null;
  let broken = 0;
  /**
   * Offsets within the unit: of the NAL unit being inspected (-1: none yet), and up to which the next start code has
   * been searched.
   */
  let nalAt = -1;
  let searched = 0;
  /** Bounds of the unit during one scan, and whether the unit is complete. */
  let unitStart = 0;
  let unitEnd = 0;
  let isUnitComplete = false;

  const inspect: Inspect = { h264: inspectH264, h265: inspectH265, mpeg2: inspectMpeg2, mpeg4: inspectMpeg4 }[kind];

  function begin() {
    found.keyframe = false;
    found.gradual = false;
    found.recovery = false;
    found.parameters = false;
    found.sequenceAt = -1;
    found.stamp = null;
    nalAt = -1;
    searched = 0;
  }

  function scan(bytes: Uint8Array, start: number, end: number, isAll: boolean): boolean {
    unitStart = start;
    unitEnd = end;
    isUnitComplete = isAll;
    for (;;) {
      if (nalAt >= 0) {
        const code = start + nalAt;
        // The type is in the byte after the start code.
        if (code + 4 > end) return isAll;
        const early = inspect(bytes, code, -1);
        if (early !== 'goOn') return early === 'decided' || isAll;
      }
      const next = findStartCode(bytes, start + searched, end);
      if (next < 0) {
        searched = Math.max(searched, end - start - 2);
        if (isAll && nalAt >= 0) inspect(bytes, start + nalAt, end);
        return isAll;
      }
      if (nalAt >= 0) inspect(bytes, start + nalAt, next);
      nalAt = next - start;
      searched = nalAt + 3;
    }
  }

  function inspectH264(bytes: Uint8Array, code: number, next: number): Verdict {
    const nal = code + 3;
    const type = bytes[nal]! & 0x1f;
    if (type === H264_NAL.idr) {
      found.keyframe = true;
      return 'decided';
    }
    if (type === H264_NAL.slice || type === H264_NAL.partitionA) return inspectSlice(bytes, nal);
    if (next < 0) return 'goOn';
    if (type === H264_NAL.sps) readSet(bytes, nal, next, readH264Sps);
    if (type === H264_NAL.sei) {
      found.recovery ||= hasRecoveryPoint(bytes, nal, next);
      found.stamp ??= readPictureStamp(bytes, nal + 1, next);
    }
    return 'goOn';
  }

  /**
   * Detects key frames that are not IDR: a recovery point, or an intra picture after its own parameter sets, since some
   * encoders begin without IDR and recovery point.
   */
  function inspectSlice(bytes: Uint8Array, nal: number): Verdict {
    found.keyframe = found.recovery;
    if (!found.recovery && !found.parameters) return 'decided';
    if (nal + SLICE_HEAD > unitEnd && !isUnitComplete) return 'more';
    const type = orNull(() => sliceType(bytes, nal, Math.min(unitEnd, nal + SLICE_HEAD)));
    const isIntra = type !== null && isIntraSlice(type);
    found.keyframe = found.recovery || isIntra;
    found.gradual = found.recovery && !isIntra;
    return 'decided';
  }

  function inspectH265(bytes: Uint8Array, code: number, next: number): Verdict {
    const nal = code + 3;
    const type = (bytes[nal]! >> 1) & 0x3f;
    if (type <= H265_NAL.lastSlice) {
      found.keyframe = type >= H265_NAL.firstIrap && type <= H265_NAL.lastIrap;
      return 'decided';
    }
    if (next >= 0 && type === H265_NAL.sps) readSet(bytes, nal, next, readH265Sps);
    if (next >= 0 && type === H265_NAL.prefixSei) found.stamp ??= readPictureStamp(bytes, nal + 2, next);
    return 'goOn';
  }

  function inspectMpeg2(bytes: Uint8Array, code: number, next: number): Verdict {
    const type = bytes[code + 3]!;
    if (type === MPEG2_CODE.picture) {
      if (code + 6 > unitEnd) return isUnitComplete ? 'decided' : 'more';
      found.keyframe = found.parameters && isIntraPicture(bytes, code);
      return 'decided';
    }
    if (type > MPEG2_CODE.picture && type < 0xb0) return 'decided';
    if (next < 0) return 'goOn';
    if (type === MPEG2_CODE.group) found.parameters = true;
    if (type === MPEG2_CODE.sequence) {
      found.parameters = true;
      found.sequenceAt = code - unitStart;
      if (bytes[next + 3] !== MPEG2_CODE.extension) readSet(bytes, code, next, readMpeg1);
    }
    if (type === MPEG2_CODE.extension && found.sequenceAt >= 0 && isSequenceExtension(bytes, code)) {
      const sequence = unitStart + found.sequenceAt;
      const extension = code - sequence;
      readSet(bytes, sequence, next, (all, from, to) => readMpeg2Sequence(all, from, from + extension, to));
      found.sequenceAt = -1;
    }
    return 'goOn';
  }

  /**
   * A layer may precede each picture, or only the first one of the stream, so an intra picture is a key frame even
   * without one.
   */
  function inspectMpeg4(bytes: Uint8Array, code: number, next: number): Verdict {
    const type = bytes[code + 3]!;
    if (type === MPEG4_CODE.picture) {
      if (code + 5 > unitEnd) return isUnitComplete ? 'decided' : 'more';
      found.keyframe = isIntraVop(bytes, code);
      return 'decided';
    }
    if (next >= 0 && type >= MPEG4_CODE.firstLayer && type <= MPEG4_CODE.lastLayer)
      readSet(bytes, code, next, readMpeg4Layer);
    return 'goOn';
  }

  function readSet(bytes: Uint8Array, start: number, end: number, read: typeof readH264Sps) {
    found.parameters = true;
    for (const set of sets) {
      if (!set.bytes.isSame(bytes, start, end)) continue;
      format = set.format ?? format;
      return;
    }
    if (parsed++ >= PARSED_LIMIT) return;
    const set = { bytes: createSeenBytes(), format: orNull(() => read(bytes, start, end)) };
    set.bytes.keep(bytes, start, end);
    sets.push(set);
    if (sets.length > RETAINED_SETS) sets.shift();
    if (set.format === null) broken++;
    else format = set.format;
  }

  return {
    begin,
    scan,
    isKeyframe: () => found.keyframe,
    isGradual: () => found.gradual,
    stamp: () => found.stamp,
    format: () => format,
    broken: () => broken,
  };
}

const RETAINED_SETS = 8;
/** Maximum number of different parameter sets that are parsed, more than any recording has; later ones are ignored. */
const PARSED_LIMIT = 10_000;

/** Number of bytes that are sufficient for first_mb_in_slice and slice_type of any picture. */
const SLICE_HEAD = 12;

function readMpeg1(bytes: Uint8Array, start: number, end: number): VideoFormat {
  return readMpeg2Sequence(bytes, start, -1, end);
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
