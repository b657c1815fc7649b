import type { Box } from '../../base/items/content.ts';

/** Rounds degrees to about a metre, since shapes without area were stored a little wider. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/**
 * Returns the smallest box that contains all boxes; null if there are none. In boxes across the antimeridian, both
 * given and returned, west is greater than east.
 */
export function extentOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const spans = boxes
    .flatMap(([west, , east]): [number, number][] =>
      west <= east
        ? [[west, east]]
        : [
            [west, 180],
            [-180, east],
          ],
    )
    .sort((a, b) => a[0] - b[0]);
  // The widest range of longitudes that no box touches is left out. The search starts with the range around the
  // antimeridian.
  const [first] = spans[0]!;
  const last = Math.max(...spans.map(([, east]) => east));
  let gap = { width: first + 360 - last, from: last, to: first };
  let reach = first;
  for (const [west, east] of spans) {
    if (west - reach > gap.width) gap = { width: west - reach, from: reach, to: west };
    reach = Math.max(reach, east);
  }
  const south = Math.min(...boxes.map((box) => box[1]));
  const north = Math.max(...boxes.map((box) => box[3]));
  return [gap.to, south, gap.from, north].map(rounded) as Box;
}
