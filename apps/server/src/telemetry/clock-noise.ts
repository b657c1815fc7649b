/** Minimum tolerance for a record's deviation from its level: half a picture at 25 a second. */
const LEAST_US = 20_000;
/** Minimum tolerance for records without PTS, whose time is taken from their position in the multiplex. */
const LEAST_OF_PLACES_US = 200_000;
/** Maximum tolerance: a larger deviation is a different time, and no noise. */
const MOST_US = 1_000_000;
/**
 * Multiple of the median deviation from the median: the full width of a uniform spread, four sigmas of a normal one.
 */
const SPREAD = 6;
/** Bins of the histogram, by powers of two in microseconds. */
const BINS = 40;

/**
 * Measures how far time stamps scatter around their level. Uses the median over pieces of the recording, so that faults
 * in less than half of them have no effect.
 */
export function createClockNoise() {
  const bins = new Uint32Array(BINS);
  let pieces = 0;
  let own = 0;
  let placed = 0;

  return {
    /**
     * Adds the clock offsets of one piece, in microseconds; sorts them in place. `ownPts`: number of them with a PTS.
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

    /** Tolerance for a record's deviation from its level, in microseconds. */
    toleranceUs(): number {
      let left = pieces / 2;
      const bin = bins.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      const least = placed > own ? LEAST_OF_PLACES_US : LEAST_US;
      return Math.min(MOST_US, Math.max(least, SPREAD * (2 ** Math.max(0, bin) - 1)));
    },
  };
}
