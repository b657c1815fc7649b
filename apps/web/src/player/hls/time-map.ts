import type { SensorTimeline } from '@osprey/contract';
import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import type { PictureTimes } from './picture-times.ts';

type Run = SensorTimeline['runs'][number];

/** Value at which PTS wraps around, which has 33 bits. */
const PTS_TURN = 2 ** 33;

/**
 * Maximum distance outside of its run at which a frame still belongs to it, in ticks. Allows for rounding, and for the
 * duration of the last frame.
 */
const RUN_SLACK_TICKS = TICKS_PER_SECOND;

export type TimeMap = ReturnType<typeof createTimeMap>;

/** Converts between media time of the player, PTS and UTC of one sensor. */
export function createTimeMap(timeline: SensorTimeline) {
  /** By discontinuity: the PTS in ticks at which the player's media time would be zero. */
  const zeros = new Map<number, number>();
  /**
   * Times of the buffered pictures. They are needed since, after a lost picture, the player shows the following ones
   * later or earlier than the zero indicates.
   */
  let pictures: PictureTimes | null = null;
  const { runs } = timeline;

  /**
   * Returns the zero of a run; until the player has reached the run, it is estimated from the run's playlist position.
   */
  const zeroOf = (run: Run) => zeros.get(run.discontinuity) ?? run.firstPts - run.playlistStart * TICKS_PER_SECOND;

  function runAt(timeUs: number): Run | null {
    return runs.find((run) => timeUs >= run.startTime && timeUs <= run.endTime) ?? null;
  }

  function place(mediaTime: number): { run: Run; ticks: number } | null {
    let best: { run: Run; ticks: number } | null = null;
    let minimum = RUN_SLACK_TICKS;
    for (const run of runs) {
      const ticks = mediaTime * TICKS_PER_SECOND + zeroOf(run);
      const outside = Math.max(run.firstPts - ticks, ticks - run.lastPts, 0);
      if (outside < minimum) {
        minimum = outside;
        best = { run, ticks };
      }
    }
    return best;
  }

  /** PTS of the picture shown at this media time; `about` is its estimate in ticks. */
  function exactly(mediaTime: number, about: number): number {
    const known = pictures?.ticksAt(mediaTime) ?? null;
    const ticks = known === null ? about : besideTurn(known, about);
    return Math.abs(ticks - about) < RUN_SLACK_TICKS ? ticks : about;
  }

  return {
    timeline,
    /** Sets the times of pictures, if the player knows them. */
    setPictures(known: PictureTimes) {
      pictures = known;
    },
    /** Sets the PTS (33 bits, ticks of 90 kHz) that hls.js reports for media time zero of this discontinuity. */
    setZero(discontinuity: number, ticks: number) {
      const run = runs.find((one) => one.discontinuity === discontinuity);
      if (!run) return;
      // Media time of the run's start plus this zero must equal the run's first PTS, apart from multiples of 2^33.
      const expected = run.firstPts - run.playlistStart * TICKS_PER_SECOND;
      zeros.set(discontinuity, besideTurn(ticks, expected));
    },
    isKnown: (timeUs: number) => {
      const run = runAt(timeUs);
      return run !== null && zeros.has(run.discontinuity);
    },
    /** Returns the UTC time of the picture shown at this media time; null outside of all runs. */
    timeOf(mediaTime: number): number | null {
      const placed = place(mediaTime);
      return placed && Math.round(alongAnchors(placed.run.anchors, exactly(mediaTime, placed.ticks), 0));
    },
    /** Returns the media time of this moment; null if nothing was recorded then. */
    mediaTimeOf(timeUs: number): number | null {
      const run = runAt(timeUs);
      if (!run) return null;
      // A run extends to the end of its last frame, but no frame starts after that frame's own time.
      const ticks = Math.min(Math.max(alongAnchors(run.anchors, timeUs, 1), run.firstPts), run.lastPts);
      const about = (ticks - zeroOf(run)) / TICKS_PER_SECOND;
      return pictures?.mediaTimeOf(ticks, about) ?? about;
    },
    covers: (timeUs: number) => runAt(timeUs) !== null,
    nextCovered(timeUs: number): number | null {
      if (runAt(timeUs)) return timeUs;
      const starts = runs.map((run) => run.startTime).filter((start) => start >= timeUs);
      return starts.length > 0 ? Math.min(...starts) : null;
    },
    lastCovered(timeUs: number): number | null {
      if (runAt(timeUs)) return timeUs;
      const ends = runs.map((run) => run.endTime).filter((end) => end <= timeUs);
      return ends.length > 0 ? Math.max(...ends) : null;
    },
  };
}

/** Returns a PTS of 33 bits in the cycle of the counter in which it is nearest to `about`. */
const besideTurn = (ticks: number, about: number): number => ticks + Math.round((about - ticks) / PTS_TURN) * PTS_TURN;

/**
 * Interpolates the line through anchors [pts, UTC] from column `from` to the other column: linearly between two
 * anchors, and in real time beyond the outermost ones.
 */
function alongAnchors(anchors: Run['anchors'], value: number, from: 0 | 1): number {
  const to = from === 0 ? 1 : 0;
  const pace = from === 0 ? 1e6 / TICKS_PER_SECOND : TICKS_PER_SECOND / 1e6;
  const at = lastAtOrBefore(anchors, value, from);
  const before = anchors[at];
  const after = anchors[at + 1];
  if (before && after) {
    const share = (value - before[from]) / (after[from] - before[from]);
    return before[to] + share * (after[to] - before[to]);
  }
  const nearest = before ?? after!;
  return nearest[to] + (value - nearest[from]) * pace;
}

function lastAtOrBefore(anchors: Run['anchors'], value: number, column: 0 | 1): number {
  let low = 0;
  let high = anchors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (anchors[middle]![column] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
