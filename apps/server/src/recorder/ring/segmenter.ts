import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { LiveListener, LiveUnit, StreamFacts } from '../components.ts';

/**
 * Minimum duration of a segment, in seconds: it ends at the first key frame after this. Slightly below 2 s, to allow
 * for rounding of the stream's clock.
 */
const SEGMENT_SECONDS = 1.95;
/** Duration in seconds after which a new segment begins if there is no key frame. */
const KEYLESS_SECONDS = 10;
/**
 * Minimum duration of a part, in seconds: it ends at the first picture after this. Playlists announce 0.5 s, and a part
 * must have at least 85 % of that (rfc8216bis 4.4.4.9).
 */
const PART_SECONDS = 0.43;
/**
 * Time without a picture that counts as a gap, in 90 kHz ticks, provided that it is also longer than GAP_PICTURES
 * pictures.
 */
const GAP_TICKS = 0.75 * TICKS_PER_SECOND;
const GAP_PICTURES = 5;
/** Maximum size of one part. No viewer could play a stream of a higher rate. */
const PART_BYTES_MAX = 32 * 1024 * 1024;
const FIRST_BUFFER_BYTES = 256 * 1024;
/** Assumed duration of a picture in 90 kHz ticks, used until the interval between two pictures is known. */
const PICTURE_TICKS = 3600;

export type CutPart = {
  bytes: Buffer;
  durationSeconds: number;
  /** True if a player may start playback with this part: it starts with PAT, PMT and a key frame. */
  independent: boolean;
};

export type CutSegment = {
  startUs: number;
  firstPtsTicks: number;
  /** True if the segment does not continue the previous segment without a gap. */
  discontinuity: boolean;
  /** PAT and PMT inserted before the first part; empty if the stream itself has them there. */
  tables: Buffer;
};

/** Receives segments and parts as they are cut. The receiver owns the `bytes` of a part from then on. */
export type SegmentSink = {
  begin(segment: CutSegment): void;
  part(part: CutPart, isLast: boolean): void;
  /** Called when a part exceeds its maximum size: the segment ends with the parts cut so far. */
  overflow(): void;
};

export type Segmenter = Omit<Required<LiveListener>, 'klv' | 'ais'> & {
  /**
   * Returns the bytes received since the last part was cut, without inserted PAT and PMT. They are valid only during
   * the call.
   */
  pending(): Buffer;
  /** Called when the stream is no longer listened to. */
  end(): void;
  /** Drops bytes not yet cut into a part, and continues at the next key frame. */
  abandon(): void;
};

/** Cuts a stream into segments, and segments into parts, at the beginnings of pictures. */
export function createSegmenter(sink: SegmentSink, nowUs: () => number): Segmenter {
  let buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  let size = 0;
  let tablesBytes = 0;
  let independent = false;
  /**
   * Whether a segment is open. `segmentTicks` and `partTicks`: start of the segment and of its current part, by the
   * stream's clock.
   */
  let isOpen = false;
  let segmentTicks = 0;
  let partTicks = 0;
  let lastTicks = 0;
  let pictureTicks = PICTURE_TICKS;
  let run: number | null = null;
  let discontinuity = true;
  /**
   * Arrival time of the first picture since which no segment could begin for lack of a key frame; null: not waiting for
   * one.
   */
  let waitingSinceUs: number | null = null;

  function unit(picture: LiveUnit, { tables }: StreamFacts) {
    const ticks = picture.dtsTicks ?? picture.ptsTicks;
    if (ticks === null || tables === null) return;
    if (run !== null && picture.run !== run) close();
    run = picture.run;
    // Pictures are missing, so close the segment: a part stretched over the gap would delay players for as long as the
    // playlist lists the part.
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
    // A player may start here and needs PAT and PMT. If the stream has just sent them, inserting them again is a
    // repetition that 2.4.3.3 allows.
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

  /** Ends the segment because the packets that follow do not continue it. */
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
