import { type Position, shortestTurn } from './point.ts';

/**
 * Splits a ring that crosses longitude ±180 into closed rings that do not, as GeoJSON requires (RFC 7946, 3.1.9). A
 * ring around a pole is closed along the antimeridian over that pole. Pieces without area are left out.
 */
export function splitAtAntimeridian(ring: readonly Position[]): Position[][] {
  const open = withoutRepeats(ring);
  if (open.length < 3) return [];
  const unrolled = overPole(unroll([...open, open[0]!]));
  return worldsOf(unrolled).flatMap((offset) => {
    const right = clip(unrolled, offset - 180, 1);
    const piece = withoutRepeats(clip(right, offset + 180, -1).map(([lon, lat]) => [lon - offset, lat]));
    return piece.length < 3 || isFlat(piece) ? [] : [[...piece, piece[0]!]];
  });
}

/** Splits a line that crosses longitude ±180 into lines that do not; each ends and begins on the antimeridian. */
export function splitLineAtAntimeridian(line: readonly Position[]): Position[][] {
  const unrolled = unroll(line);
  const parts: Position[][] = [];
  let part: Position[] = [];
  let world = 0;
  unrolled.forEach(([lon, lat], index) => {
    const before = unrolled[index - 1];
    const own = Math.floor((lon + 180) / 360) * 360;
    if (before && own !== world) {
      const border = Math.max(own, world) - 180;
      const share = (border - before[0]) / (lon - before[0]);
      const crossing = before[1] + share * (lat - before[1]);
      parts.push([...part, [border - world, crossing]]);
      part = [[border - own, crossing]];
    }
    world = own;
    part.push([lon - world, lat]);
  });
  return [...parts, part].map(withoutNeighbours).filter((points) => points.length > 1);
}

/** Returns the same points with longitudes that continue past ±180 instead of jumping. */
export function unroll(points: readonly Position[]): Position[] {
  let lon = points[0]?.[0] ?? 0;
  return points.map(([own, lat]) => {
    lon += shortestTurn(own - lon);
    return [lon, lat];
  });
}

/** Closes an unrolled ring whose end is a full turn away from its start, by a path over the nearer pole. */
export function overPole(closed: Position[]): Position[] {
  const [start, end] = [closed[0]!, closed[closed.length - 1]!];
  if (Math.abs(end[0] - start[0]) < 180) return closed.slice(0, -1);
  const pole = closed.reduce((sum, [, lat]) => sum + lat, 0) < 0 ? -90 : 90;
  return [...closed, [end[0], pole], [start[0], pole]];
}

/** Returns the central longitudes of the copies of the world (… -360, 0, 360 …) that the ring touches. */
function worldsOf(ring: readonly Position[]): number[] {
  // A loop rather than Math.min(...), since a coastline has more points than a call accepts as arguments, especially in
  // a worker.
  let [west, east] = [Infinity, -Infinity];
  for (const [lon] of ring) [west, east] = [Math.min(west, lon), Math.max(east, lon)];
  const first = Math.floor((west + 180) / 360);
  const last = Math.ceil((east + 180) / 360) - 1;
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => (first + index) * 360);
}

/**
 * Sutherland-Hodgman clipping against one meridian: keeps the part where `side` * (longitude - border) is not negative.
 */
function clip(ring: readonly Position[], border: number, side: 1 | -1): Position[] {
  return ring.flatMap((point, index) => {
    const before = ring[(index + ring.length - 1) % ring.length]!;
    const inside = side * (point[0] - border) >= 0;
    const wasInside = side * (before[0] - border) >= 0;
    if (inside === wasInside) return inside ? [point] : [];
    const share = (border - before[0]) / (point[0] - before[0]);
    const crossing: Position = [border, before[1] + share * (point[1] - before[1])];
    return inside ? [crossing, point] : [crossing];
  });
}

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

const withoutNeighbours = (points: readonly Position[]): Position[] =>
  points.filter((point, index) => index === 0 || !isSame(point, points[index - 1]!));

/** Removes consecutive duplicates and the closing point. */
export function withoutRepeats(ring: readonly Position[]): Position[] {
  const points = withoutNeighbours(ring);
  const last = points[points.length - 1];
  return last && points.length > 1 && isSame(points[0]!, last) ? points.slice(0, -1) : points;
}

export function isFlat(ring: readonly Position[]): boolean {
  const [lon, lat] = ring[0]!;
  let twice = 0;
  for (let index = 1; index + 1 < ring.length; index += 1) {
    const [b, c] = [ring[index]!, ring[index + 1]!];
    twice += (b[0] - lon) * (c[1] - lat) - (c[0] - lon) * (b[1] - lat);
  }
  return twice === 0;
}
