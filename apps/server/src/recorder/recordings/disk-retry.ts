/** After files that failed the disk is asked again in this, and then twice as long each time. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 10_000;

/** When the next file may begin on a disk that fails: after the first failure at once, then in longer and longer steps. */
export function createDiskRetry(nowMs: () => number) {
  let retryMs = 0;
  let untilMs = 0;
  return {
    isWaiting: (): boolean => nowMs() < untilMs,
    failed(): void {
      untilMs = nowMs() + retryMs;
      retryMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_MS, 2 * retryMs));
    },
    /** A file is whole on the disk. */
    succeeded(): void {
      retryMs = 0;
    },
  };
}

/** Code that names a fault of the disk for operators: "EIO". */
export const faultCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
