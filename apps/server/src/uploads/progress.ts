import type { MissionUpdate } from '@osprey/contract';
import { missionUpdate } from './accept.ts';
import type { Target } from './target.ts';

const EVERY_MS = 250;

/**
 * Returns a function that reports the progress of an upload to open pages, at most four times a second and once at its
 * end.
 */
export function uploadProgress(flow: (update: MissionUpdate) => void, target: Target, totalBytes: number | null) {
  let last = Number.NEGATIVE_INFINITY;
  return (bytes: number): void => {
    const now = performance.now();
    if (now - last < EVERY_MS && bytes !== totalBytes) return;
    last = now;
    const progress = totalBytes ? (100 * bytes) / totalBytes : null;
    flow(missionUpdate(target, { type: 'upload_progress', progress, bytes, totalBytes }));
  };
}
