import type { FrameBus } from './frames.ts';

/** A frame on screen this far from the clock is of another moment, microseconds. */
const SAME_MOMENT_US = 1_000_000;

/**
 * The sensor and frame that a mark is of: those of the leading sensor, else of another sensor that shows a picture
 * now.
 */
export function frameOnScreen(
  frames: Pick<FrameBus, 'all' | 'latest'>,
  { leader, timeUs }: { leader: string | null; timeUs: number },
): { sensorId: string; timeUs: number } | null {
  const own = leader === null ? null : frames.latest(leader);
  for (const frame of [...(own ? [own] : []), ...frames.all()]) {
    if (Math.abs(frame.timeUs - timeUs) <= SAME_MOMENT_US) return { sensorId: frame.sensorId, timeUs: frame.timeUs };
  }
  return null;
}
