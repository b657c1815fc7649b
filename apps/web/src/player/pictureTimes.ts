import { TICKS_PER_SECOND, ticksBetween } from '../clock/ticks.ts';

/** Times are rounded: a picture may seem to lie this much behind the place that is asked for. Seconds. */
const SAME_S = 0.001;

/** A picture of the same PTS farther away is of another turn of the clock, or of another file. Seconds. */
const NEAR_S = 1;

/** So many are remembered: at 30 a second those of eleven minutes, the most that the player buffers. */
const PICTURES_MAX = 20_000;

/** A picture in the player's buffer: where its media time begins, seconds, and its PTS, ticks modulo 2^33. */
export type KnownPicture = { mediaTime: number; ticks: number };

/** The pictures that were put into the buffer; null where none is known. */
export type PictureTimes = {
  /** The one that is shown at this media time. */
  at: (mediaTime: number) => KnownPicture | null;
  /** The one that is shown behind it. */
  after: (mediaTime: number) => KnownPicture | null;
  /** The last that does not come after this PTS, within a second of this media time. */
  of: (ticks: number, near: number) => KnownPicture | null;
};

/** Remembers pictures as they come into the buffer. */
export function createPictureTimes(): PictureTimes & { put: (pictures: readonly KnownPicture[]) => void } {
  let all: KnownPicture[] = [];

  return {
    put(pictures) {
      const mediaTimes = pictures.map(({ mediaTime }) => mediaTime);
      const [from, to] = [Math.min(...mediaTimes), Math.max(...mediaTimes)];
      // In the buffer too they take the place of what was there.
      const others = all.filter(({ mediaTime }) => mediaTime < from || mediaTime > to);
      all = [...others, ...pictures].slice(-PICTURES_MAX);
    },
    at(mediaTime) {
      let last: KnownPicture | null = null;
      for (const picture of all) {
        if (picture.mediaTime > mediaTime + SAME_S) continue;
        if (last === null || picture.mediaTime >= last.mediaTime) last = picture;
      }
      return last;
    },
    after(mediaTime) {
      let next: KnownPicture | null = null;
      for (const picture of all) {
        if (picture.mediaTime <= mediaTime + SAME_S) continue;
        if (next === null || picture.mediaTime < next.mediaTime) next = picture;
      }
      return next;
    },
    of(ticks, near) {
      let last: KnownPicture | null = null;
      let least = NEAR_S * TICKS_PER_SECOND;
      for (const picture of all) {
        if (Math.abs(picture.mediaTime - near) > NEAR_S) continue;
        const behind = ticksBetween(picture.ticks, ticks);
        if (behind < -SAME_S * TICKS_PER_SECOND || behind >= least) continue;
        last = picture;
        least = behind;
      }
      return last;
    },
  };
}
