import { z } from 'zod';
import { id } from './call.ts';

/** Unwrapped PTS of a recording that lasts for years stay below this, and so does 90 kHz time since 1970. */
const TICKS_MAX = 2 ** 50;

/**
 * The frame that a mark is tied to: the file of the sensor, the run of its clock, and the PTS of the picture in unwrapped
 * 90 kHz ticks. A telemetry file has no such clock; there the run is 0 and the ticks count from 1970 by its own times.
 *
 * UTC, `position` and `startTime` of a mark are derived from it at each reading: neither a file added before it nor a
 * shifted sensor or a corrected clock moves a mark to another picture.
 */
export const frameAnchor = z.strictObject({
  fileId: id,
  run: z.int().min(0).max(1_000_000),
  pts: z.int().min(-TICKS_MAX).max(TICKS_MAX),
});
export type FrameAnchor = z.output<typeof frameAnchor>;
