import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';

/** Tolerance for rounding, in seconds: a picture may appear to be this much later than the requested position. */
const SAME_S = 0.001;

/**
 * Maximum distance at which a picture with the same PTS is the wanted one, in seconds; a more distant one belongs to
 * another cycle of the clock, or to another file.
 */
const NEAR_S = 1;

/**
 * Maximum number of pictures that are remembered: one minute at 60 per second, more than the player keeps in its
 * buffer.
 */
const PICTURES_MAX = 4000;

/** Value at which PTS wraps around, which has 33 bits. */
const PTS_TURN = 2 ** 33;

/**
 * A picture in the player's buffer: the media time at which it begins, in seconds, and its PTS in ticks modulo 2^33.
 */
export type KnownPicture = { mediaTime: number; ticks: number };

/** Times of the pictures that were put into the buffer; the functions return null if none is known. */
export type PictureTimes = {
  /** Returns the picture shown at this media time. */
  at: (mediaTime: number) => KnownPicture | null;
  /**
   * Returns the PTS of this media time, in ticks modulo 2^33. It advances while a picture is shown, but never beyond
   * the next picture's PTS.
   */
  ticksAt: (mediaTime: number) => number | null;
  /**
   * Returns the media time at which a moment is shown, by its PTS in ticks and the media time that it must be within a
   * second of.
   */
  mediaTimeOf: (ticks: number, near: number) => number | null;
};

/** Stores the pictures as they come into the buffer. */
export function createPictureTimes(): PictureTimes & { put: (pictures: readonly KnownPicture[]) => void } {
  /** Pictures sorted by media time. */
  let all: KnownPicture[] = [];

  /**
   * Returns how many of them have begun at this media time. Searched from the end, since at most one buffer follows the
   * shown picture.
   */
  const begunAt = (time: number): number => all.findLastIndex(({ mediaTime }) => mediaTime <= time + SAME_S) + 1;

  return {
    put(pictures) {
      const placed = pictures.toSorted((one, other) => one.mediaTime - other.mediaTime);
      const [first, last] = [placed[0], placed.at(-1)];
      if (!first || !last) return;
      // As in the browser's buffer, new pictures replace those of the same range.
      const before = all.filter(({ mediaTime }) => mediaTime < first.mediaTime);
      const after = all.filter(({ mediaTime }) => mediaTime > last.mediaTime);
      all = [...before, ...placed, ...after];
      // Drops the pictures farthest from the new ones, since those were left the longest ago.
      all = before.length < after.length ? all.slice(0, PICTURES_MAX) : all.slice(-PICTURES_MAX);
    },
    at: (mediaTime) => all[begunAt(mediaTime) - 1] ?? null,
    ticksAt(mediaTime) {
      const begun = begunAt(mediaTime);
      const [picture, next] = [all[begun - 1], all[begun]];
      if (!picture) return null;
      const lasts = next ? Math.max(0, ticksBetween(picture.ticks, next.ticks)) : Number.POSITIVE_INFINITY;
      return picture.ticks + Math.min((mediaTime - picture.mediaTime) * TICKS_PER_SECOND, lasts);
    },
    mediaTimeOf(ticks, near) {
      let last: KnownPicture | null = null;
      let minimum = NEAR_S * TICKS_PER_SECOND;
      for (const picture of all.slice(begunAt(near - NEAR_S), begunAt(near + NEAR_S))) {
        const behind = ticksBetween(picture.ticks, ticks);
        if (behind < -SAME_S * TICKS_PER_SECOND || behind >= minimum) continue;
        last = picture;
        minimum = behind;
      }
      return last && last.mediaTime + Math.max(0, minimum) / TICKS_PER_SECOND;
    },
  };
}

/**
 * Returns the difference from one PTS to another in ticks, in the shorter direction, across wrap-arounds of the
 * counter.
 */
const ticksBetween = (from: number, to: number): number => to - from - Math.round((to - from) / PTS_TURN) * PTS_TURN;
