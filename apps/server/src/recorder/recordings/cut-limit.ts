const MOST = 10;
const REFILL_MS = 10_000;

/**
 * Whether a stream may begin yet another file: ten at once, then one in ten seconds. A stream of garbage finds a new
 * clock in every second picture; it goes on in the file that is open, which bears that.
 */
export function createCutLimit(nowMs: () => number): () => boolean {
  let left = MOST;
  let atMs = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(MOST, left + (now - atMs) / REFILL_MS);
    atMs = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
