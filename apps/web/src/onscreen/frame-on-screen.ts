import type { FrameBus } from './frames.ts';

/** Maximum distance between a frame on screen and the clock at which they count as the same moment, in microseconds. */
const SAME_MOMENT_US = 1_000_000;

/**
 * Returns the sensor and frame that a mark refers to: those of the leading sensor, else of another sensor that
 * currently shows a picture.
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
