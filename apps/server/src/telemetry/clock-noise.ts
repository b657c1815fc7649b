/**
 * Minimum tolerance for the deviation of a record from its level: half the duration of a picture at 25 pictures per
 * second.
 */
const TOLERANCE_MIN_US = 20_000;
/** Minimum tolerance for records without PTS, whose stream time is derived from their position in the multiplex. */
const PLACED_TOLERANCE_MIN_US = 200_000;
/** Maximum tolerance: a larger deviation is a different time, not noise. */
const TOLERANCE_MAX_US = 1_000_000;
/**
 * Factor from the median absolute deviation to the tolerance: gives the full width of a uniform distribution, or about
 * four sigmas of a normal distribution.
 */
const SPREAD = 6;
/** Number of bins of the histogram, one for each power of two in microseconds. */
const BINS = 40;

/**
 * Measures how far time stamps scatter around their level. The median over pieces of the recording is used, so that
 * faults in less than half of the pieces have no effect.
 */
export function createClockNoise() {
  const bins = new Uint32Array(BINS);
  let pieces = 0;
  let own = 0;
  let placed = 0;

  return {
    /**
     * Adds the clock offsets of one piece, in microseconds; overwrites the array. `ownPts`: number of records in the
     * piece that have their own PTS.
     */
    add(offsetsUs: Float64Array, ownPts: number): void {
      own += ownPts;
      placed += offsetsUs.length - ownPts;
      offsetsUs.sort();
      const middle = offsetsUs[offsetsUs.length >> 1]!;
      for (let at = 0; at < offsetsUs.length; at += 1) offsetsUs[at] = Math.abs(offsetsUs[at]! - middle);
      offsetsUs.sort();
      const spread = offsetsUs[offsetsUs.length >> 1]!;
      bins[Math.min(BINS - 1, Math.ceil(Math.log2(1 + spread)))]! += 1;
      pieces += 1;
    },

    /** Returns the tolerance for the deviation of a record from its level, in microseconds. */
    toleranceUs(): number {
      let left = pieces / 2;
      const bin = bins.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      const minimum = placed > own ? PLACED_TOLERANCE_MIN_US : TOLERANCE_MIN_US;
      return Math.min(TOLERANCE_MAX_US, Math.max(minimum, SPREAD * (2 ** Math.max(0, bin) - 1)));
    },
  };
}
