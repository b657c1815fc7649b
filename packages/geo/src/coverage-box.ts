import { type Position, shortestTurn, wrapLon } from './point.ts';
import { cross, dot, unit, type Vector } from './vector.ts';

/** Bounding box in degrees. `widthDeg` is counted eastwards from `west`, so that the box may cross the antimeridian. */
export type GeoBox = { west: number; south: number; widthDeg: number; north: number };

/** Tolerance for rounding errors, in degrees; corresponds to 0.1 mm. */
const SLACK = 1e-9;

/** Returns the direction of a longitude and latitude, as a unit vector from the centre of the sphere. */
export function directionOf([lon, lat]: Position): Vector {
  const [east, north] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Returns the bounding box of a ring (not closed) with great circles as edges. The ring may be a single point. */
export function alongRing(ring: readonly Position[]): GeoBox {
  const first = ring[0]!;
  let [turned, least, most] = [0, 0, 0];
  let [south, north] = [first[1], first[1]];
  ring.forEach((from, at) => {
    const to = ring[(at + 1) % ring.length]!;
    turned += shortestTurn(to[0] - from[0]);
    least = Math.min(least, turned);
    most = Math.max(most, turned);
    for (const lat of [to[1], ...summits(from, to)]) {
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  });
  const isAroundPole = Math.abs(turned) > 180;
  if (isAroundPole || most - least >= 360) {
    return {
      west: -180,
      widthDeg: 360,
      south: isAroundPole && north + south < 0 ? -90 : south - SLACK,
      north: isAroundPole && north + south >= 0 ? 90 : north + SLACK,
    };
  }
  return {
    west: wrapLon(first[0] + least) - SLACK,
    widthDeg: most - least + 2 * SLACK,
    south: Math.max(-90, south - SLACK),
    north: Math.min(90, north + SLACK),
  };
}

/** Returns the latitude at which a great-circle edge is furthest north or south, if that lies between its ends. */
function summits(from: Position, to: Position): number[] {
  const [a, b] = [directionOf(from), directionOf(to)];
  const normal = cross(a, b);
  const length = Math.hypot(...normal);
  if (length === 0) return [];
  const [x, y, z] = unit(normal);
  const top: Vector = [-z * x, -z * y, 1 - z * z];
  return [1, -1].flatMap((sign) => {
    const at: Vector = [sign * top[0], sign * top[1], sign * top[2]];
    const isBetween = dot(cross(a, at), normal) > 0 && dot(cross(at, b), normal) > 0;
    return isBetween ? [(Math.atan2(at[2], Math.hypot(at[0], at[1])) * 180) / Math.PI] : [];
  });
}
