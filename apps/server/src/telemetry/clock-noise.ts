/** Always tolerated distance of a record from its level: half a picture at 25 a second. */
const LEAST_US = 20_000;
/** The same for records without PTS, whose place in the multiplex is their time. */
const LEAST_OF_PLACES_US = 200_000;
/** More is no noise but another time. */
const MOST_US = 1_000_000;
/** Multiple of the median distance from the median: the whole width of an even spread, four sigmas of a normal one. */
const SPREAD = 6;
/** Powers of two, in microseconds. */
const BINS = 40;

/**
 * Learns how far time stamps scatter about their level. It goes by the median over pieces of the recording, so faults
 * in less than half of them do not count.
 */
export function createClockNoise() {
  const bins = new Uint32Array(BINS);
  let pieces = 0;
  let own = 0;
  let placed = 0;

  return {
    /** The distances of the clocks in one piece, microseconds; they are sorted in place. `ownPts`: how many have a PTS. */
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

    /** Tolerated distance of a record from its level, microseconds. */
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
