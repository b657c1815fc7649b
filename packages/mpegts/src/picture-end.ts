/** Pictures whose steps say where the next one is: as many as showing may come later than decoding. */
const REORDERED = 16;
/** Steps of a constant rate differ by this at most, as where times are rounded to milliseconds. */
const ROUNDED_TICKS = 91;

/** Decides, in decoding order, before which picture a cut ends, so that the pictures shown at its end have no gap. */
export type PictureEnd = {
  /** Adds a picture of the cut, with its PTS in ticks after the first one. */
  take(pts: number): void;
  /** Whether all pictures shown before the end have been taken, without a gap between them. */
  isBefore(pts: number, dts: number): boolean;
};

export function createPictureEnd(lengthTicks: number): PictureEnd {
  /** PTS of the last pictures, in presentation order. */
  const shown: number[] = [];

  /** Whether no picture is between the last one and the end, by a rate that has been constant. */
  function isLastBeforeEnd(last: number): boolean {
    const steps = shown.slice(1).map((ticks, i) => ticks - shown[i]!);
    const longest = Math.max(...steps);
    // Lengths are rounded to a tick.
    return longest - Math.min(...steps) <= ROUNDED_TICKS && last + longest + 1 >= lengthTicks;
  }

  return {
    take(pts) {
      let at = shown.length;
      while (at > 0 && shown[at - 1]! > pts) at -= 1;
      shown.splice(at, 0, pts);
      if (shown.length > REORDERED) shown.shift();
    },
    isBefore(pts, dts) {
      const last = shown.at(-1);
      // All pictures shown before the last one are decoded before one that is shown after it.
      if (last === undefined || pts < lengthTicks || pts <= last) return false;
      // Such a picture is shown after the end, but may still be a reference for one shown before it.
      return last >= lengthTicks || dts >= lengthTicks || isLastBeforeEnd(last);
    },
  };
}
