/** Offset added to a picture's own time, in seconds, so that a seek does not round to the picture before. */
export const INSIDE_FRAME_S = 0.001;

/** Assumed frame rate if a stream does not state one, in pictures per second. */
const USUAL_FRAME_RATE = 30;

/** Returns the duration of one picture at the stated frame rate, in seconds. */
export const frameLengthS = (frameRate: number | null | undefined): number => 1 / (frameRate || USUAL_FRAME_RATE);

/**
 * Distance of the first seek of a step, in picture lengths. If pictures come more often than assumed, the seek passes
 * at least two of them, and the one it shows is more than TRUSTED picture lengths away.
 */
const REACH = 1.6;

/** Maximum distance, in picture lengths, at which a later picture is accepted as the next one. */
const TRUSTED = 1.05;

/** Maximum length of a stretch without pictures that is searched, in seconds. */
const FAR_S = 10;

/**
 * Maximum length of a hole in the buffer, in seconds. A longer one may be a segment that was not loaded, since segments
 * are longer.
 */
const HOLE_S = 1;

/** Time for which the first and last pictures of a recording may be missing, in seconds. */
const EDGE_S = 0.3;

/**
 * Time limit for finding another picture, and again for finding a nearer one, in milliseconds. A usual seek takes 20 to
 * 60 ms, and a search needs only a few; on a busy machine, a correct picture late is better than a wrong one.
 */
const SEARCH_MS = 4000;

export type Stretch = { from: number; to: number };

/** A later picture, and the latest position known to have no other picture before it. */
type Found = { later: number; same: number };

type Deps = {
  /**
   * Seeks, and resolves with the media time of the picture then on screen; null if there is none, or the step was
   * aborted.
   */
  pictureAt: (place: number) => Promise<number | null>;
  buffered: () => readonly Stretch[];
  /** Returns the duration of one picture as far as known, in seconds: the one stated by the recording, or less. */
  frameS: () => number;
  now: () => number;
};

/**
 * Finds the picture before or after another one. The stated frame rate of a recording may be wrong, pictures may come
 * at varying intervals, and some may be missing. Therefore the picture shown after a seek is checked, and the search is
 * refined if in doubt.
 */
export function createFrameSteps({ pictureAt, buffered, frameS, now }: Deps) {
  /** Shortest observed distance between two pictures known to be neighbours, in seconds. */
  let shortestS: number | null = null;
  /** Lengths of the last two steps. The shorter one is used, since the other may have crossed a hole. */
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

  /** Finds any later picture. */
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

  /** Narrows down to the picture right after `from`, given a later one, and shows it. */
  async function nearest(from: number, { later, same }: Found): Promise<number | null> {
    const isLate = lateness();
    let next = later;
    let shown: number | null = later;
    const isNear = () => next - same <= TRUSTED * leastS();
    let isNext = same === from && isNear();
    // Seeking to just before a picture either proves that it is the next one, or reveals a picture in between.
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

  /** Returns the picture after the one at `from`; null if there is none. `length` is that of the recording. */
  async function on(from: number, length: number): Promise<number | null> {
    const last = buffered().at(-1)?.to ?? length;
    // A seek past the last picture would wait for one that never comes.
    const end = (last > length - EDGE_S ? Math.min(last, length) : length) - INSIDE_FRAME_S;
    const found = await findLater(from, end);
    return found && nearest(from, found);
  }

  /**
   * Returns the picture before the one at `from`; null if there is none. `start` is the position of the recording's
   * first picture.
   */
  async function back(from: number, start: number): Promise<number | null> {
    const isLate = lateness();
    const first = buffered()[0]?.from ?? start;
    const minimum = first < start + EDGE_S ? Math.max(first, start) : start;
    // Seeking to just before a picture shows the previous one, regardless of its duration.
    for (let reach = INSIDE_FRAME_S; ; reach = Math.max(reach * 2, frameS() / 2)) {
      const hole = holeAt(buffered(), from - reach);
      const place = hole ? hole.from - INSIDE_FRAME_S : from - reach;
      if (place < minimum) return null;
      const shown = await pictureAt(place);
      if (shown === null) return null;
      if (shown < from) return shown;
      if (reach > FAR_S || isLate()) return null;
    }
  }

  return { on, back };
}

/**
 * Returns the short stretch around a position that has no pictures although there are some on both sides; null if there
 * is none.
 */
function holeAt(stretches: readonly Stretch[], place: number): Stretch | null {
  const after = stretches.findIndex(({ from }) => from > place);
  const [before, behind] = [stretches[after - 1], stretches[after]];
  if (!before || !behind || place < before.to || behind.from - before.to > HOLE_S) return null;
  return { from: before.to, to: behind.from };
}
