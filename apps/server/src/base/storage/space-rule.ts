const GIB = 1024 ** 3;

/** Levels of a filling disk; each stops one more activity than the one before. */
export type SpaceLevel = 'fine' | 'warn' | 'noUploads' | 'noExports' | 'noRecording';

/** Whether the volume, or the share of it that this account may fill, had no byte left for what failed. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Free bytes that uploads and imports leave alone: 5 % of the volume, at least 1 GiB and at most 20 GiB. */
export const uploadReserve = (totalBytes: number): number => between(totalBytes * 0.05, GIB, 20 * GIB);

/** Free bytes that exports and pictures leave alone: 2 % of the volume. */
export const exportReserve = (totalBytes: number): number => totalBytes * 0.02;

/** The one table of disk thresholds. */
export function spaceLevel({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): SpaceLevel {
  if (freeBytes < Math.max(totalBytes * 0.005, GIB / 2)) return 'noRecording';
  if (freeBytes < exportReserve(totalBytes)) return 'noExports';
  if (freeBytes < uploadReserve(totalBytes)) return 'noUploads';
  if (freeBytes < totalBytes * 0.1) return 'warn';
  return 'fine';
}
