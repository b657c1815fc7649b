import type { FrameAnchor } from '@osprey/contract';
import { ptsOfUtc, utcOfPts } from '../../telemetry/timebase.ts';
import { telemetryWindow } from '../../telemetry/walk.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';

const TICKS_PER_US = 0.09;

/**
 * Tolerance for converting a time in whole microseconds to 90 kHz ticks; one tick is about 11 µs. A time that was
 * rounded up, as here, yields the ticks it was made of, or up to 0.09 more. A time that was rounded to the nearest
 * microsecond, as by players, may yield 0.05 less, and another 0.02 less since a double stores microseconds since 1970
 * only to a quarter of a microsecond.
 */
const ROUNDING_TICKS = 0.08;

/** The part of the index that anchors need: the times of its files. */
export type Placed = { files: readonly PlacedFile[] };

type PlacedFile = Pick<IndexedFile, 'fileId' | 'telemetryKey' | 'timebase' | 'window' | 'telemetryFromUs' | 'media'>;

/**
 * Returns the frame that players show of a sensor at a displayed time (UTC microseconds): the tick of that time in the
 * file, and the run of the file's clock. Null in a gap, and before and after the recording.
 *
 * The tick may lie within the duration of its picture; `exactPicture` finds where the picture begins.
 */
export function anchorAt(index: Placed, shiftUs: number, utcUs: number): FrameAnchor | null {
  const ownUs = utcUs - shiftUs;
  for (const file of index.files) {
    const { fileId, timebase } = file;
    if (timebase.runs.length === 0) {
      if (isWithin(file, ownUs)) return { fileId, run: 0, pts: wholeTicks((ownUs - timebase.shiftUs) * TICKS_PER_US) };
      continue;
    }
    // If two runs contain the time, the later one counts, since it may begin where the previous one ends.
    for (const { run } of timebase.runs.toReversed()) {
      const ticks = ptsOfUtc(timebase, run, ownUs);
      if (Number.isNaN(ticks)) continue;
      const pts = wholeTicks(ticks);
      if (isShown(file, { run, pts })) return { fileId, run, pts };
    }
  }
  return null;
}

/**
 * Returns the displayed time of an anchor, in whole microseconds: the first at which its picture is on screen. Null if
 * the file was deleted, or if another file is shown at that time.
 */
export function utcOf(index: Placed, shiftUs: number, anchor: FrameAnchor): number | null {
  const file = index.files.find(({ fileId }) => fileId === anchor.fileId);
  if (file === undefined) return null;
  const { timebase } = file;
  const ownUs =
    timebase.runs.length === 0
      ? anchor.pts / TICKS_PER_US + timebase.shiftUs
      : utcOfPts(timebase, anchor.run, anchor.pts);
  if (Number.isNaN(ownUs)) return null;
  const wholeUs = Math.ceil(ownUs);
  const shown = timebase.runs.length === 0 ? isWithin(file, wholeUs) : isShown(file, anchor);
  return shown ? wholeUs + shiftUs : null;
}

const wholeTicks = (ticks: number): number => Math.floor(ticks + ROUNDING_TICKS);

function isShown(file: PlacedFile, { run, pts }: Pick<FrameAnchor, 'run' | 'pts'>): boolean {
  // A file with a segment map shows exactly the pictures in its segments.
  if (file.media !== null) return segmentAt(file.media.segments, { run, pts }) !== null;
  const us = utcOfPts(file.timebase, run, pts);
  // Without pictures, the end of a run is unknown, so that outside of its own anchors another run may be nearer.
  return isWithin(file, Math.ceil(us)) && isNearest(file, run, us);
}

/**
 * Returns whether a run is the one to use for telemetry without pictures: the last that begins before the time, or else
 * the first.
 */
function isNearest({ timebase }: PlacedFile, run: number, us: number): boolean {
  const startOf = (one: number): number => {
    const first = timebase.runs.find((candidate) => candidate.run === one)?.anchors[0];
    return first === undefined ? Number.POSITIVE_INFINITY : first[1] + timebase.shiftUs;
  };
  const began = timebase.runs.filter((one) => startOf(one.run) <= us);
  const latest = began.reduce((best, one) => Math.max(best, startOf(one.run)), Number.NEGATIVE_INFINITY);
  const own = startOf(run);
  if (began.length > 0) return own === latest;
  return timebase.runs.every((one) => startOf(one.run) >= own);
}

function isWithin(file: PlacedFile, us: number): boolean {
  const [from, to] = telemetryWindow(file);
  return us >= from && us <= to;
}

/** Finds the segment that contains these ticks. Segments are sorted by run, and within a run by time. */
function segmentAt(
  segments: readonly PlayableSegment[],
  { run, pts }: Pick<FrameAnchor, 'run' | 'pts'>,
): PlayableSegment | null {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle]!;
    if (segment.run < run || (segment.run === run && segment.startTicks <= pts)) low = middle + 1;
    else high = middle;
  }
  const found = segments[low - 1];
  return found && found.run === run && pts < found.startTicks + found.durationTicks ? found : null;
}
