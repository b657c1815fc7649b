/** Initial wait after a failed file before the disk is tried again; doubled with each further failure. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 10_000;

/**
 * Decides when the next file may begin on a failing disk: immediately after the first failure, then after increasing
 * waits.
 */
export function createDiskRetry(nowMs: () => number) {
  let retryMs = 0;
  let untilMs = 0;
  return {
    isWaiting: (): boolean => nowMs() < untilMs,
    failed(): void {
      untilMs = nowMs() + retryMs;
      retryMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_MS, 2 * retryMs));
    },
    /** Called when a file is complete on the disk. */
    succeeded(): void {
      retryMs = 0;
    },
  };
}

/** Error code of a disk fault, such as "EIO", for operators. */
export const faultCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
