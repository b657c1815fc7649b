/** Most pictures by which showing may come later than decoding. */
const REORDERED = 16;
/** A step longer than this many usual steps is a gap. */
const HOLE = 1.5;

/** Decides, in decoding order, before which picture a cut ends, so that the shown pictures have no gap at its end. */
export type PictureEnd = {
  /** A picture of the cut, by its PTS in ticks after the first one. */
  take(pts: number): void;
  /** Whether all pictures shown before the end have been taken, without a gap between them. */
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
      // A picture shown after the end may still be a reference of one before it.
      if (last === undefined || pts < lengthTicks) return false;
      if (dts >= lengthTicks && pts > last) return true;
      const steps = shown.slice(1).map((ticks, i) => ticks - shown[i]!);
      const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1];
      if (usual === undefined || steps.some((step) => step > HOLE * usual)) return false;
      return pts > last && last + usual >= lengthTicks - usual / 2;
    },
  };
}
