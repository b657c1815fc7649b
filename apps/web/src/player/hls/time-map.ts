import type { SensorTimeline } from '@osprey/contract';
import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import type { PictureTimes } from './picture-times.ts';

type Run = SensorTimeline['runs'][number];

/** PTS has 33 bits. */
const PTS_TURN = 2 ** 33;

/** A frame may be this far outside of its run and still belong to it: rounding, and the last frame's length. */
const RUN_SLACK_TICKS = TICKS_PER_SECOND;

export type TimeMap = ReturnType<typeof createTimeMap>;

/** Converts between media time of the player, PTS and UTC of one sensor. */
export function createTimeMap(timeline: SensorTimeline) {
  /** By discontinuity: the PTS in ticks at which the player's media time would be zero. */
  const zeros = new Map<number, number>();
  /** After a lost picture the player shows the others later or earlier than its zero says. */
  let pictures: PictureTimes | null = null;
  const { runs } = timeline;

  /** Until the player has met the run its playlist position is the best guess. */
  const zeroOf = (run: Run) => zeros.get(run.discontinuity) ?? run.firstPts - run.playlistStart * TICKS_PER_SECOND;

  function runAt(timeUs: number): Run | null {
    return runs.find((run) => timeUs >= run.startTime && timeUs <= run.endTime) ?? null;
  }

  function place(mediaTime: number): { run: Run; ticks: number } | null {
    let best: { run: Run; ticks: number } | null = null;
    let least = RUN_SLACK_TICKS;
    for (const run of runs) {
      const ticks = mediaTime * TICKS_PER_SECOND + zeroOf(run);
      const outside = Math.max(run.firstPts - ticks, ticks - run.lastPts, 0);
      if (outside < least) {
        least = outside;
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
    /** Sets the times of pictures, where the player knows them. */
    setPictures(known: PictureTimes) {
      pictures = known;
    },
    /** From hls.js: at this discontinuity, media time zero is this PTS (33 bits, ticks of 90 kHz). */
    setZero(discontinuity: number, ticks: number) {
      const run = runs.find((one) => one.discontinuity === discontinuity);
      if (!run) return;
      // The player's media time of the run's start plus this zero must be the run's first PTS, give or take a turn.
      const expected = run.firstPts - run.playlistStart * TICKS_PER_SECOND;
      zeros.set(discontinuity, besideTurn(ticks, expected));
    },
    isKnown: (timeUs: number) => {
      const run = runAt(timeUs);
      return run !== null && zeros.has(run.discontinuity);
    },
    /** UTC of what the player shows at this media time; null outside of all runs. */
    timeOf(mediaTime: number): number | null {
      const placed = place(mediaTime);
      return placed && Math.round(alongAnchors(placed.run.anchors, exactly(mediaTime, placed.ticks), 0));
    },
    /** Where the player finds this moment; null where nothing was recorded. */
    mediaTimeOf(timeUs: number): number | null {
      const run = runAt(timeUs);
      if (!run) return null;
      // The run lasts to the end of its last frame; there is no frame after that one's own time.
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

/** A PTS of 33 bits in the turn of the clock that brings it nearest. */
const besideTurn = (ticks: number, about: number): number => ticks + Math.round((about - ticks) / PTS_TURN) * PTS_TURN;

/**
 * Reads the line through anchors [pts, UTC] from column `from` to the other column: straight between two anchors,
 * beyond the outermost ones at the pace of a second a second.
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
