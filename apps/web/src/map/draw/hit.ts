import type { AnnotationFeature } from '@osprey/contract';
import { drawnLines } from './drawn.ts';
import type { Place } from './figures.ts';
import { isArea } from './geometry.ts';

export type Pixel = { x: number; y: number };
export type ToPixel = (place: Place) => Pixel;

/** Distance in pixels from a line within which the pointer hits it. */
const REACH_PX = 7;
/** Distance in pixels from a point within which the pointer hits it. */
const POINT_PX = 12;

/** Whether a shape is under the pointer, that is, near its line or inside its area. */
export function hitShape({ geometry }: AnnotationFeature, at: Pixel, toPixel: ToPixel): boolean {
  const isPoint = geometry.type === 'Point' || geometry.type === 'MultiPoint';
  let sides = 0;
  for (const places of drawnLines(geometry)) {
    const pixels = places.map(toPixel);
    if (isPoint) {
      if (pixels.some(({ x, y }) => Math.hypot(x - at.x, y - at.y) <= POINT_PX)) return true;
      continue;
    }
    for (let index = 1; index < pixels.length; index += 1) {
      const [from, to] = [pixels[index - 1]!, pixels[index]!];
      if (distance(at, from, to) <= REACH_PX) return true;
      if (isEastOf(at, from, to)) sides += 1;
    }
  }
  return isArea(geometry) && sides % 2 === 1;
}

function distance(at: Pixel, from: Pixel, to: Pixel): number {
  const [wide, high] = [to.x - from.x, to.y - from.y];
  const complete = wide * wide + high * high;
  const share = complete === 0 ? 0 : ((at.x - from.x) * wide + (at.y - from.y) * high) / complete;
  const near = Math.max(0, Math.min(1, share));
  return Math.hypot(at.x - from.x - near * wide, at.y - from.y - near * high);
}

/** Whether a ray to the right of a position crosses a side. */
function isEastOf(at: Pixel, from: Pixel, to: Pixel): boolean {
  if (from.y > at.y === to.y > at.y) return false;
  return at.x < from.x + ((at.y - from.y) / (to.y - from.y)) * (to.x - from.x);
}
