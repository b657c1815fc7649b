import type { FrameAnchor } from '@osprey/contract';
import { ptsOfUtc, utcOfPts } from '../../telemetry/timebase.ts';
import { telemetryWindow } from '../../telemetry/walk.ts';
import type { IndexedFile, PlayableSegment } from '../index/sensor-index.ts';

const TICKS_PER_US = 0.09;

/**
 * Times are whole microseconds, and a tick is 11 of them. Rounded up, as here, the ticks of a time are those it was made of,
 * or up to 0.09 more; rounded to the nearest, as players do, they may be 0.05 less, and 0.02 more than that since a double
 * holds microseconds since 1970 to a quarter of one.
 */
const ROUNDING_TICKS = 0.08;

/** The part of the index that anchors need: the places of its files. */
export type Placed = { files: readonly PlacedFile[] };

type PlacedFile = Pick<IndexedFile, 'fileId' | 'telemetryKey' | 'timebase' | 'window' | 'telemetryFromUs' | 'media'>;

/**
 * The frame of a sensor at a time shown (UTC microseconds): the tick of that moment in the file, and the run of its
 * clock, that players show then. Null in a gap, and before and after the recording.
 *
 * The tick is that of the moment, which may be within the time of its picture: `exactPicture` reads where that begins.
 */
export function anchorAt(index: Placed, shiftUs: number, utcUs: number): FrameAnchor | null {
  const ownUs = utcUs - shiftUs;
  for (const file of index.files) {
    const { fileId, timebase } = file;
    if (timebase.runs.length === 0) {
      if (isWithin(file, ownUs)) return { fileId, run: 0, pts: wholeTicks((ownUs - timebase.shiftUs) * TICKS_PER_US) };
      continue;
    }
    // If two runs hold the moment, the later one counts: it may begin where the one before ends.
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
 * Time shown of an anchor, in whole microseconds: the first at which its picture is on screen. Null where the file is
 * gone, or where what it shows there is shown of another file.
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
  // A file with a map of segments shows the pictures in them; one without any shows none.
  if (file.media !== null) return segmentAt(file.media.segments, { run, pts }) !== null;
  const us = utcOfPts(file.timebase, run, pts);
  // Where no pictures say where a run ends, another run is the nearer one outside its own anchors.
  return isWithin(file, Math.ceil(us)) && isNearest(file, run, us);
}

/** Telemetry without pictures: of several runs, the last that begins before the moment, else the first. */
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

/**
 * Finds the segment that holds these ticks. Segments are in the order of runs, and within a run in the order of their
 * times.
 */
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
