/** A ring or line in the unit square of the world (Web Mercator, origin in the north-west), as alternating x and y. */
export type Shape = { kind: 'area' | 'line'; level: number; points: Float64Array };

export type Box = { west: number; north: number; east: number; south: number };

/** Returns the part of a shape inside a box: any number of parts of a line, or at most one ring of an area. */
export function cut(shape: Shape, box: Box): Shape[] {
  const { points } = shape;
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let index = 0; index < points.length; index += 2) {
    const x = points[index]!;
    const y = points[index + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < north) north = y;
    if (y > south) south = y;
  }
  if (east < box.west || west > box.east || south < box.north || north > box.south) return [];
  if (west >= box.west && east <= box.east && north >= box.north && south <= box.south) return [shape];
  const parts = shape.kind === 'area' ? [cutArea(points, box)] : cutLine(points, box);
  return parts
    .filter(({ length }) => length >= (shape.kind === 'area' ? 6 : 4))
    .map((part) => ({ ...shape, points: part }));
}

type Edge = { axis: 0 | 1; at: number; sign: 1 | -1 };

const edgesOf = ({ west, east, north, south }: Box): Edge[] => [
  { axis: 0, at: west, sign: 1 },
  { axis: 0, at: east, sign: -1 },
  { axis: 1, at: north, sign: 1 },
  { axis: 1, at: south, sign: -1 },
];

/**
 * Clips a ring by one edge after the other (Sutherland-Hodgman). A ring that leaves the box and returns is joined along
 * the edge.
 */
function cutArea(points: Float64Array, box: Box): Float64Array {
  let ring: ArrayLike<number> = points;
  for (const edge of edgesOf(box)) ring = cutRing(ring, edge);
  return Float64Array.from(ring);
}

function cutRing(ring: ArrayLike<number>, { axis, at, sign }: Edge): number[] {
  const retained: number[] = [];
  const { length } = ring;
  for (let index = 0; index < length; index += 2) {
    const before = (index + length - 2) % length;
    const here = (ring[index + axis]! - at) * sign;
    const there = (ring[before + axis]! - at) * sign;
    if (here >= 0 !== there >= 0) {
      const share = there / (there - here);
      const x = ring[before]! + share * (ring[index]! - ring[before]!);
      const y = ring[before + 1]! + share * (ring[index + 1]! - ring[before + 1]!);
      retained.push(axis === 0 ? at : x, axis === 1 ? at : y);
    }
    if (here >= 0) retained.push(ring[index]!, ring[index + 1]!);
  }
  return retained;
}

/** Keeps every segment of a line that may touch the box, uncut, since the part outside the tile is not drawn. */
function cutLine(points: Float64Array, { west, east, north, south }: Box): Float64Array[] {
  const parts: Float64Array[] = [];
  let from = -1;
  const end = (to: number) => {
    if (from >= 0) parts.push(points.slice(from, to));
    from = -1;
  };
  for (let index = 0; index + 3 < points.length; index += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = points.subarray(index, index + 4);
    const isAway =
      Math.max(ax, bx) < west || Math.min(ax, bx) > east || Math.max(ay, by) < north || Math.min(ay, by) > south;
    if (isAway) end(index + 2);
    else if (from < 0) from = index;
  }
  end(points.length);
  return parts;
}

/** Whether an area covers a whole box, in which case the ring produced by cutting is the box itself. */
export function covers({ kind, points }: Shape, { west, east, north, south }: Box): boolean {
  if (kind !== 'area' || points.length > 16) return false;
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let index = 0; index < points.length; index += 2) {
    const x = points[index]!;
    const y = points[index + 1]!;
    if (x !== west && x !== east && y !== north && y !== south) return false;
    [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
    [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
  }
  return (
    minX === west &&
    maxX === east &&
    minY === north &&
    maxY === south &&
    Math.abs(areaOf(points)) > 0.999 * (east - west) * (south - north)
  );
}

export function areaOf(points: ArrayLike<number>): number {
  let twice = 0;
  for (let index = 0, before = points.length - 2; index < points.length; before = index, index += 2) {
    twice += points[before]! * points[index + 1]! - points[index]! * points[before + 1]!;
  }
  return twice / 2;
}
