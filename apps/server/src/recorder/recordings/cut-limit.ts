const CUTS_MAX = 10;
const REFILL_MS = 10_000;

/**
 * Returns a function that checks whether a stream may begin another file (token bucket: ten immediately, then one every
 * ten seconds). A corrupt stream may show a clock jump at every second picture; beyond the limit, recording continues
 * in the open file, since a file may contain such jumps.
 */
export function createCutLimit(nowMs: () => number): () => boolean {
  let left = CUTS_MAX;
  let atMs = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(CUTS_MAX, left + (now - atMs) / REFILL_MS);
    atMs = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
