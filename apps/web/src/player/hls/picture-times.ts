import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';

/** Times are rounded: a picture may seem to be this much later than the place that is asked for. Seconds. */
const SAME_S = 0.001;

/** A picture of the same PTS farther away is of another turn of the clock, or of another file. Seconds. */
const NEAR_S = 1;

/** Number of remembered pictures: at 60 a second those of a minute, more than the player keeps in its buffer. */
const PICTURES_MAX = 4000;

/** PTS has 33 bits. */
const PTS_TURN = 2 ** 33;

/** A picture in the player's buffer: where its media time begins, seconds, and its PTS, ticks modulo 2^33. */
export type KnownPicture = { mediaTime: number; ticks: number };

/** The pictures that were put into the buffer; null where none is known. */
export type PictureTimes = {
  /** The one that is shown at this media time. */
  at: (mediaTime: number) => KnownPicture | null;
  /** PTS of this media time, going on while a picture is shown, but not beyond that of the next. Ticks modulo 2^33. */
  ticksAt: (mediaTime: number) => number | null;
  /** When a moment is shown, by its PTS in ticks and the media time that it should be within a second of. */
  mediaTimeOf: (ticks: number, near: number) => number | null;
};

/** Remembers pictures as they come into the buffer. */
export function createPictureTimes(): PictureTimes & { put: (pictures: readonly KnownPicture[]) => void } {
  /** In the order of media time. */
  let all: KnownPicture[] = [];

  /**
   * How many of them have begun at this media time. Searched from the end: after the shown picture there is a buffer at
   * most.
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
      // The pictures farthest from them were left the longest ago.
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
      let least = NEAR_S * TICKS_PER_SECOND;
      for (const picture of all.slice(begunAt(near - NEAR_S), begunAt(near + NEAR_S))) {
        const behind = ticksBetween(picture.ticks, ticks);
        if (behind < -SAME_S * TICKS_PER_SECOND || behind >= least) continue;
        last = picture;
        least = behind;
      }
      return last && last.mediaTime + Math.max(0, least) / TICKS_PER_SECOND;
    },
  };
}

/** From one PTS to another, the shorter way round. Ticks, in any turn of the counter. */
const ticksBetween = (from: number, to: number): number => to - from - Math.round((to - from) / PTS_TURN) * PTS_TURN;
