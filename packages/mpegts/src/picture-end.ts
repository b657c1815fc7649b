/** Pictures are shown at most so many later than they are decoded. */
const REORDERED = 16;
/** A step longer than this many usual ones is a hole. */
const HOLE = 1.5;

/** Decides before which picture a cut ends, in the order of decoding, so that what it shows has no hole at its end. */
export type PictureEnd = {
  /** A picture of the cut, by its PTS in ticks after the first one. */
  take(pts: number): void;
  /** Whether all that is shown before the end has been taken, and nothing is missing between what was. */
  isBefore(pts: number, dts: number): boolean;
};

export function createPictureEnd(lengthTicks: number): PictureEnd {
  /** PTS of the last pictures, in the order in which they are shown. */
  const shown: number[] = [];

  return {
    take(pts) {
      let at = shown.length;
      while (at > 0 && shown[at - 1]! > pts) at -= 1;
      shown.splice(at, 0, pts);
      if (shown.length > REORDERED) shown.shift();
    },
    isBefore(pts, dts) {
      const last = shown.at(-1);
      // A picture that is shown later may be what one before the end refers to.
      if (last === undefined || pts < lengthTicks) return false;
      if (dts >= lengthTicks && pts > last) return true;
      const steps = shown.slice(1).map((ticks, i) => ticks - shown[i]!);
      const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1];
      if (usual === undefined || steps.some((step) => step > HOLE * usual)) return false;
      return pts > last && last + usual >= lengthTicks - usual / 2;
    },
  };
}
