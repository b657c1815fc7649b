import type { Picture } from './picture.ts';
import type { Pixel } from './polygon.ts';

/**
 * A line's width in pixels, its brightness, and its opacity from 0 to 1. Lines take the colour of the pixels that they
 * cross.
 */
export type Pen = { width: number; luma: number; opacity: number };

/** Draws a thin straight line with smooth edges and blunt ends; parts outside the picture are clipped. */
export function drawLine(picture: Picture, from: Pixel, to: Pixel, pen: Pen): void {
  const isSteep = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);
  const axis = isSteep ? 1 : 0;
  const [start, end] = from[axis] < to[axis] ? [from, to] : [to, from];
  const run = end[axis] - start[axis];
  if (run === 0) return;
  const slope = (end[1 - axis]! - start[1 - axis]!) / run;
  // Factor from the distance measured along an axis to the perpendicular distance.
  const right = 1 / Math.hypot(1, slope);
  const reach = (pen.width / 2 + 0.5) / right;
  const { luma, width, height } = picture;
  const [length, breadth] = isSteep ? [height, width] : [width, height];
  const [alongStep, acrossStep] = isSteep ? [width, 1] : [1, width];

  const first = Math.max(0, Math.floor(start[axis]));
  const last = Math.min(length - 1, Math.floor(end[axis]));
  for (let along = first; along <= last; along += 1) {
    const middle = start[1 - axis]! + (along + 0.5 - start[axis]) * slope;
    const low = Math.max(0, Math.floor(middle - reach));
    const high = Math.min(breadth - 1, Math.floor(middle + reach));
    for (let across = low; across <= high; across += 1) {
      const cover = pen.width / 2 + 0.5 - Math.abs(across + 0.5 - middle) * right;
      if (cover <= 0) continue;
      const at = along * alongStep + across * acrossStep;
      luma[at] = luma[at]! + (pen.luma - luma[at]!) * Math.min(1, pen.width, cover) * pen.opacity + 0.5;
    }
  }
}
