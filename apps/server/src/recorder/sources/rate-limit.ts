/**
 * Limit of bits a second from one source (trust.md); more is not accepted, so that a flood affects that source alone.
 */
const RATE_LIMIT_BITS = 100_000_000;
/** Burst allowance in seconds: senders send pictures in bursts. */
const BURST_SECONDS = 0.5;

/** A token bucket in bytes. */
export function rateLimit(bitsPerSecond = RATE_LIMIT_BITS) {
  const bytesPerMs = bitsPerSecond / 8000;
  const most = bytesPerMs * 1000 * BURST_SECONDS;
  let left = most;
  let lastMs = 0;
  return {
    /** Whether the bytes are within the current limit. */
    accepts(bytes: number, nowMs: number): boolean {
      left = Math.min(most, left + (nowMs - lastMs) * bytesPerMs);
      lastMs = nowMs;
      if (left < bytes) return false;
      left -= bytes;
      return true;
    },
  };
}
