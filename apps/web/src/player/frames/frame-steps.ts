/** Offset after a picture's own time, so that a seek does not round to the picture before. Seconds. */
export const INSIDE_FRAME_S = 0.001;

/** Where a stream does not say. Pictures a second. */
const USUAL_FRAME_RATE = 30;

/** Length of one picture at the rate that a stream states, seconds. */
export const frameLengthS = (frameRate: number | null | undefined): number => 1 / (frameRate || USUAL_FRAME_RATE);

/**
 * Reach of a step, in pictures. If pictures come more often than was thought, at least two of them are then met, and
 * those are further on than TRUSTED pictures.
 */
const REACH = 1.6;

/** A picture no further on than this many picture lengths is the next one. */
const TRUSTED = 1.05;

/** Longest stretch of missing pictures that is searched. Seconds. */
const FAR_S = 10;

/** A longer hole in the buffer was perhaps not loaded; segments are longer. Seconds. */
const HOLE_S = 1;

/** The first and last pictures of a recording may be missing for this time. Seconds. */
const EDGE_S = 0.3;

/**
 * Time limit of the search for another picture, and again for a nearer one. A usual seek takes 20 to 60 ms, and a
 * search few of them; on a busy machine the right picture late is better than a wrong one.
 */
const SEARCH_MS = 4000;

export type Stretch = { from: number; to: number };

/** A later picture, and the furthest place up to which there is none. */
type Found = { later: number; same: number };

type Deps = {
  /**
   * Seeks, and returns the media time of the picture that is then on screen; null when there is none, or the step was
   * given up.
   */
  pictureAt: (place: number) => Promise<number | null>;
  buffered: () => readonly Stretch[];
  /** Length of one picture as far as it is known: what the recording states, or less. Seconds. */
  frameS: () => number;
  now: () => number;
};

/**
 * Finds the picture before or after another one. The stated rate of a recording may be wrong, pictures may come at no
 * steady rate, and some may be missing: so the picture shown after a seek is checked, and sought again if in doubt.
 */
export function createFrameSteps({ pictureAt, buffered, frameS, now }: Deps) {
  /** The shortest distance of two pictures that are known to be neighbours. */
  let shortestS: number | null = null;
  /** Lengths of the last two steps. The shorter one counts: the other may have led over a hole. */
  let lately: number[] = [];

  const leastS = () => shortestS ?? frameS();
  const usualS = () => (lately.length > 0 ? Math.min(...lately) : frameS());

  function learn(distance: number) {
    shortestS = Math.min(shortestS ?? distance, distance);
  }

  function learnStep(distance: number) {
    learn(distance);
    lately = [...lately.slice(-1), distance];
  }

  function lateness() {
    const began = now();
    return () => now() - began > SEARCH_MS;
  }

  /** Any later picture. */
  async function findLater(from: number, end: number): Promise<Found | null> {
    const isLate = lateness();
    let same = from;
    for (let reach = REACH * usualS(); ; reach *= 2) {
      const hole = holeAt(buffered(), from + reach);
      const place = Math.min(hole?.to ?? from + reach, end);
      const shown = await pictureAt(hole ? place + INSIDE_FRAME_S : place);
      if (shown === null) return null;
      if (shown > from) return { later: shown, same: hole ? Math.max(same, hole.to) : same };
      same = place;
      if (place >= end || reach > FAR_S || isLate()) return null;
    }
  }

  /** The picture right after `from`, on screen, given a later one. */
  async function nearest(from: number, { later, same }: Found): Promise<number | null> {
    const isLate = lateness();
    let next = later;
    let shown: number | null = later;
    const isNear = () => next - same <= TRUSTED * leastS();
    let isNext = same === from && isNear();
    // The picture shown just before a picture proves it the next one, or shows how often pictures come here.
    let place = next - INSIDE_FRAME_S;
    while (!isNext && place > same && !isLate()) {
      const isJustBefore = place === next - INSIDE_FRAME_S;
      shown = await pictureAt(place);
      if (shown === null) return null;
      if (shown > from && shown < next) {
        if (isJustBefore) learn(next - shown);
        next = shown;
      } else {
        same = place;
        isNext = isJustBefore;
      }
      place = isNear() ? next - INSIDE_FRAME_S : (same + next) / 2;
    }
    if (isNext) learnStep(next - from);
    return shown === next ? next : pictureAt(next + INSIDE_FRAME_S);
  }

  /** The picture after the one at `from`; null when there is none. `length` is that of the recording. */
  async function on(from: number, length: number): Promise<number | null> {
    const last = buffered().at(-1)?.to ?? length;
    // A seek past the last picture would wait for one that does not come.
    const end = (last > length - EDGE_S ? Math.min(last, length) : length) - INSIDE_FRAME_S;
    const found = await findLater(from, end);
    return found && nearest(from, found);
  }

  /** The picture before the one at `from`; null when there is none. `start` is the place of the recording's first. */
  async function back(from: number, start: number): Promise<number | null> {
    const isLate = lateness();
    const first = buffered()[0]?.from ?? start;
    const least = first < start + EDGE_S ? Math.max(first, start) : start;
    // Just before a picture the one before it is shown, however long that lasts.
    for (let reach = INSIDE_FRAME_S; ; reach = Math.max(reach * 2, frameS() / 2)) {
      const hole = holeAt(buffered(), from - reach);
      const place = hole ? hole.from - INSIDE_FRAME_S : from - reach;
      if (place < least) return null;
      const shown = await pictureAt(place);
      if (shown === null) return null;
      if (shown < from) return shown;
      if (reach > FAR_S || isLate()) return null;
    }
  }

  return { on, back };
}

/** The short stretch around a place for which there are no pictures, though there are on both sides. */
function holeAt(stretches: readonly Stretch[], place: number): Stretch | null {
  const after = stretches.findIndex(({ from }) => from > place);
  const [before, behind] = [stretches[after - 1], stretches[after]];
  if (!before || !behind || place < before.to || behind.from - before.to > HOLE_S) return null;
  return { from: before.to, to: behind.from };
}
