import { TICKS_PER_SECOND } from '../clock/ticks.ts';

/** Times are rounded: a picture may seem to lie this much behind the place that is asked for. Seconds. */
const SAME_S = 0.001;

/** A picture of the same PTS farther away is of another turn of the clock, or of another file. Seconds. */
const NEAR_S = 1;

/** So many are remembered: at 60 a second those of a minute, more than the player keeps in its buffer. */
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
  let all: KnownPicture[] = [];

  function at(mediaTime: number): KnownPicture | null {
    let last: KnownPicture | null = null;
    for (const picture of all) {
      if (picture.mediaTime > mediaTime + SAME_S) continue;
      if (last === null || picture.mediaTime >= last.mediaTime) last = picture;
    }
    return last;
  }

  /** The one that is shown behind this media time. */
  function after(mediaTime: number): KnownPicture | null {
    let next: KnownPicture | null = null;
    for (const picture of all) {
      if (picture.mediaTime <= mediaTime + SAME_S) continue;
      if (next === null || picture.mediaTime < next.mediaTime) next = picture;
    }
    return next;
  }

  return {
    put(pictures) {
      const mediaTimes = pictures.map(({ mediaTime }) => mediaTime);
      const [from, to] = [Math.min(...mediaTimes), Math.max(...mediaTimes)];
      // In the buffer too they take the place of what was there.
      const others = all.filter(({ mediaTime }) => mediaTime < from || mediaTime > to);
      all = [...others, ...pictures].slice(-PICTURES_MAX);
    },
    at,
    ticksAt(mediaTime) {
      const picture = at(mediaTime);
      if (picture === null) return null;
      const next = after(mediaTime);
      const lasts = next ? Math.max(0, ticksBetween(picture.ticks, next.ticks)) : Number.POSITIVE_INFINITY;
      return picture.ticks + Math.min((mediaTime - picture.mediaTime) * TICKS_PER_SECOND, lasts);
    },
    mediaTimeOf(ticks, near) {
      let last: KnownPicture | null = null;
      let least = NEAR_S * TICKS_PER_SECOND;
      for (const picture of all) {
        if (Math.abs(picture.mediaTime - near) > NEAR_S) continue;
        const behind = ticksBetween(picture.ticks, ticks);
        if (behind < -SAME_S * TICKS_PER_SECOND || behind >= least) continue;
        last = picture;
        least = behind;
      }
      return last && last.mediaTime + Math.max(0, least) / TICKS_PER_SECOND;
    },
  };
}

/** From one PTS to another, the shorter way round. Ticks, whatever their turns. */
const ticksBetween = (from: number, to: number): number => to - from - Math.round((to - from) / PTS_TURN) * PTS_TURN;
