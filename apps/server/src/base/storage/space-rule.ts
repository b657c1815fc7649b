const GIB = 1024 ** 3;

/** Levels of a filling disk; each stops one more activity than the one before. */
export type SpaceLevel = 'fine' | 'warn' | 'noUploads' | 'noExports' | 'noRecording';

/** Whether an error means that the volume, or this account's quota on it, is full. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Returns the free bytes that uploads and imports must not use: 5 % of the volume, at least 1 GiB and at most 20 GiB.
 */
export const uploadReserve = (totalBytes: number): number => between(totalBytes * 0.05, GIB, 20 * GIB);

/**
 * Returns the free bytes that exports and pictures must not use: 2 % of the volume, at least 768 MiB and at most 8 GiB.
 */
export const exportReserve = (totalBytes: number): number => between(totalBytes * 0.02, 0.75 * GIB, 8 * GIB);

/** Returns the free bytes at which recording stops: 0.5 % of the volume, at least 512 MiB and at most 2 GiB. */
export const recordingReserve = (totalBytes: number): number => between(totalBytes * 0.005, GIB / 2, 2 * GIB);

/**
 * Determines the level of a disk from its free space. On a disk of any size, uploads stop first and recording stops
 * last.
 */
export function spaceLevel({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): SpaceLevel {
  if (freeBytes < recordingReserve(totalBytes)) return 'noRecording';
  if (freeBytes < exportReserve(totalBytes)) return 'noExports';
  if (freeBytes < uploadReserve(totalBytes)) return 'noUploads';
  if (freeBytes < totalBytes * 0.1) return 'warn';
  return 'fine';
}
