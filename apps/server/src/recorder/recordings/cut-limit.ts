const MOST = 10;
const REFILL_MS = 10_000;

/**
 * Whether a stream may begin another file: ten at once, then one in ten seconds. A corrupt stream may show a clock jump
 * at every second picture; beyond the limit it continues in the open file, which can hold such jumps.
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
