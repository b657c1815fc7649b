/** West, south, east, north; a box over the antimeridian has an east beyond 180. */
export type Extent = [west: number, south: number, east: number, north: number];

/** The smallest box around boxes, on the shorter way around the earth; null without any. */
export function extentOf(boxes: readonly Extent[]): Extent | null {
  if (boxes.length === 0) return null;
  let [south, north] = [90, -90];
  for (const [, low, , high] of boxes) {
    south = Math.min(south, low);
    north = Math.max(north, high);
  }
  const spans = boxes.map(([west, , east]): [number, number] => [west, east]).sort(([one], [other]) => one - other);
  // The widest stretch of longitudes without any box is left out.
  let [widest, west, end, wraps] = [-1, 0, Number.NEGATIVE_INFINITY, 0];
  const first = spans[0]![0];
  for (const [from, to] of spans) {
    if (end !== Number.NEGATIVE_INFINITY && from - end > widest) [widest, west, wraps] = [from - end, from, end];
    end = Math.max(end, to);
  }
  if (first + 360 - end >= widest) return [first, south, Math.min(end, first + 360), north];
  return [west, south, wraps + 360, north];
}
