/** Maximum number of tracks whose times are remembered. */
const TRACKS_MAX = 1000;

/**
 * Remembers the times of the earlier tracks of a file, to find overlapping ones, since one vehicle cannot be at two
 * places at the same time.
 */
export function createTracks() {
  const before: { fromUs: number; toUs: number }[] = [];
  let fromUs = Number.POSITIVE_INFINITY;
  let toUs = Number.NEGATIVE_INFINITY;
  return {
    begin(): void {
      if (fromUs < toUs && before.length < TRACKS_MAX) before.push({ fromUs, toUs });
      fromUs = Number.POSITIVE_INFINITY;
      toUs = Number.NEGATIVE_INFINITY;
    },
    /** Returns whether an earlier track already covers this time. */
    addPoint(timeUs: number): boolean {
      fromUs = Math.min(fromUs, timeUs);
      toUs = Math.max(toUs, timeUs);
      return before.some((track) => track.fromUs < timeUs && timeUs < track.toUs);
    },
  };
}
