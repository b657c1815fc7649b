/**
 * Maximum bit rate of one source (trust.md). Bits beyond it are not accepted, so that a flood affects only that source.
 */
const RATE_LIMIT_BITS = 100_000_000;
/** Burst allowance in seconds of the full rate, since senders transmit pictures in bursts. */
const BURST_SECONDS = 0.5;

/** Token bucket that limits the rate of a source, counted in bytes. */
export function rateLimit(bitsPerSecond = RATE_LIMIT_BITS) {
  const bytesPerMs = bitsPerSecond / 8000;
  const capacity = bytesPerMs * 1000 * BURST_SECONDS;
  let left = capacity;
  let lastMs = 0;
  return {
    /** Whether the bytes are within the rate limit at this time. */
    accepts(bytes: number, nowMs: number): boolean {
      left = Math.min(capacity, left + (nowMs - lastMs) * bytesPerMs);
      lastMs = nowMs;
      if (left < bytes) return false;
      left -= bytes;
      return true;
    },
  };
}
