import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { LiveListener, LiveUnit, StreamFacts } from '../parts.ts';

/** A segment ends at the first key frame after this; a little less, so that two seconds of a rounded clock are two. */
const SEGMENT_SECONDS = 1.95;
/** A stream without key frames goes on in a new segment after this. */
const KEYLESS_SECONDS = 10;
/** Parts end at the first picture after this: of half a second, as playlists promise, and 85 % of it at least (rfc8216bis 4.4.4.9). */
const PART_SECONDS = 0.43;
/** Time without a picture that counts as a hole in the stream, if pictures come much more often. */
const GAP_TICKS = 0.75 * TICKS_PER_SECOND;
const GAP_PICTURES = 5;
/** More than this in one part is no stream that anybody can watch. */
const PART_BYTES_MAX = 32 * 1024 * 1024;
const FIRST_BUFFER_BYTES = 256 * 1024;
/** Duration of the last picture of a stream, which has no next one to compare with. */
const PICTURE_TICKS = 3600;

export type CutPart = {
  bytes: Buffer;
  durationSeconds: number;
  /** A player may begin with it: a key frame, with the tables in front. */
  independent: boolean;
};

export type CutSegment = {
  startUs: number;
  firstPtsTicks: number;
  /** True if the segment does not continue the one before. */
  discontinuity: boolean;
  /** PAT and PMT that were put before its first part, if they did not come there. */
  tables: Buffer;
};

/** Takes what is cut; `bytes` are the sink's from then on. */
export type SegmentSink = {
  begin(segment: CutSegment): void;
  part(part: CutPart, isLast: boolean): void;
  /** More came than can be kept: what was cut of this segment so far is its end. */
  overflow(): void;
};

export type Segmenter = Omit<Required<LiveListener>, 'klv' | 'ais'> & {
  /** Bytes since the last part, without the tables in front; valid during the call only. */
  pending(): Buffer;
  /** The stream is not listened to any more. */
  end(): void;
  /** Forgets what is not cut yet; goes on with the next key frame. */
  abandon(): void;
};

/** Cuts a stream into segments and these into parts, at the pictures where they begin. */
export function createSegmenter(sink: SegmentSink, nowUs: () => number): Segmenter {
  let buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  let size = 0;
  let tablesBytes = 0;
  let independent = false;
  /** Whether a segment is begun, and when it and its last part began on the stream's clock. */
  let isOpen = false;
  let segmentTicks = 0;
  let partTicks = 0;
  let lastTicks = 0;
  let pictureTicks = PICTURE_TICKS;
  let run: number | null = null;
  let discontinuity = true;
  /** When the first picture came that no segment could begin with. */
  let waitingSinceUs: number | null = null;

  function unit(picture: LiveUnit, { tables }: StreamFacts) {
    const ticks = picture.dtsTicks ?? picture.ptsTicks;
    if (ticks === null || tables === null) return;
    if (run !== null && picture.run !== run) close();
    run = picture.run;
    // Pictures are missing: a part that is stretched over the hole would hold players back for as long as it is listed.
    if (isOpen && ticks - lastTicks > Math.max(GAP_TICKS, GAP_PICTURES * pictureTicks)) close();
    if (!isOpen) {
      if (picture.keyframe || hasWaited()) begin(picture, ticks, tables);
      return;
    }
    if (ticks > lastTicks) pictureTicks = ticks - lastTicks;
    const sinceStart = (ticks - segmentTicks) / TICKS_PER_SECOND;
    const isEnough = picture.keyframe ? sinceStart >= SEGMENT_SECONDS : sinceStart >= KEYLESS_SECONDS;
    if (isEnough) {
      cut(ticks, true);
      begin(picture, ticks, tables);
    } else if ((ticks - partTicks) / TICKS_PER_SECOND >= PART_SECONDS) {
      cut(ticks, false);
      partTicks = ticks;
    }
    lastTicks = ticks;
  }

  function hasWaited(): boolean {
    waitingSinceUs ??= nowUs();
    return nowUs() - waitingSinceUs >= KEYLESS_SECONDS * 1e6;
  }

  function begin(picture: LiveUnit, ticks: number, tables: Uint8Array) {
    const firstPtsTicks = picture.ptsTicks ?? ticks;
    sink.begin({ startUs: nowUs(), firstPtsTicks, discontinuity, tables: Buffer.from(tables) });
    isOpen = true;
    discontinuity = false;
    waitingSinceUs = null;
    segmentTicks = ticks;
    partTicks = ticks;
    lastTicks = ticks;
    independent = picture.keyframe;
    // A player may begin here, and needs them; where they came before, they are the repetition that 2.4.3.3 allows.
    put(tables);
    tablesBytes = tables.length;
  }

  function put(bytes: Uint8Array) {
    if (size + bytes.length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, size + bytes.length));
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(bytes, size);
    size += bytes.length;
  }

  function cut(endTicks: number, isLast: boolean) {
    const part = { bytes: buffer.subarray(0, size), independent };
    sink.part({ ...part, durationSeconds: (endTicks - partTicks) / TICKS_PER_SECOND }, isLast);
    buffer = Buffer.allocUnsafe(Math.max(FIRST_BUFFER_BYTES, size));
    size = 0;
    tablesBytes = 0;
    independent = false;
  }

  /** The next packets cannot be joined to the current segment. */
  function close() {
    if (isOpen) cut(lastTicks + pictureTicks, true);
    isOpen = false;
    discontinuity = true;
    waitingSinceUs = null;
  }

  function abandon() {
    size = 0;
    tablesBytes = 0;
    isOpen = false;
    discontinuity = true;
  }

  return {
    unit,
    packets(bytes) {
      if (!isOpen) return;
      if (size + bytes.length <= PART_BYTES_MAX) return put(bytes);
      abandon();
      sink.overflow();
    },
    changed: close,
    lost: close,
    end: close,
    abandon,
    pending: () => buffer.subarray(tablesBytes, size),
  };
}
