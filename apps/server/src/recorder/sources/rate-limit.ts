/** Most bits a second of one source (trust.md): the rest is dropped, so that a flood affects that source alone. */
const RATE_LIMIT_BITS = 100_000_000;
/** Senders send pictures in bursts; half a second's worth may come at once. */
const BURST_SECONDS = 0.5;

/** A bucket of bytes that fills with time. */
export function rateLimit(bitsPerSecond = RATE_LIMIT_BITS) {
  const bytesPerMs = bitsPerSecond / 8000;
  const most = bytesPerMs * 1000 * BURST_SECONDS;
  let left = most;
  let lastMs = 0;
  return {
    /** Whether the bytes are within what may come now. */
    accepts(bytes: number, nowMs: number): boolean {
      left = Math.min(most, left + (nowMs - lastMs) * bytesPerMs);
      lastMs = nowMs;
      if (left < bytes) return false;
      left -= bytes;
      return true;
    },
  };
}
