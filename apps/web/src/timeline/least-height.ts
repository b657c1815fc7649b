import { size } from '../base/sizes.ts';

/**
 * Returns the height of a timeline with its row of pins and no ships, in px. A picture above the timeline keeps this
 * room from the beginning, so that it does not shrink when pins arrive.
 */
export function leastHeight(sensors: number, rows: boolean): number {
  return size.toolbar + (rows ? HAIRLINE_PX + size.timelineRuler + (sensors + 1) * size.timelineRow : 0);
}

const HAIRLINE_PX = 1;
