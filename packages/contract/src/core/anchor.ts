import { z } from 'zod';
import { id } from './call.ts';

/**
 * Maximum number of ticks, which neither the unwrapped PTS of a recording that lasts for years nor 90 kHz time since
 * 1970 reaches.
 */
const TICKS_MAX = 2 ** 50;

/**
 * The frame that a mark is tied to: the sensor's file, the run of its clock, and the PTS of the picture in unwrapped 90
 * kHz ticks. A telemetry file has no such clock; its run is 0, and the ticks count from 1970 by its own times.
 *
 * UTC, `position` and `startTime` of a mark are derived from the anchor whenever it is read. Therefore a file added
 * before it, a shifted sensor or a corrected clock does not move a mark to another picture.
 */
export const frameAnchor = z.strictObject({
  fileId: id,
  run: z.int().min(0).max(1_000_000),
  pts: z.int().min(-TICKS_MAX).max(TICKS_MAX),
});
export type FrameAnchor = z.output<typeof frameAnchor>;
