import { alongRing, type GeoBox } from './coverage-box.ts';
import { contains, meets, type Shape, shapeOf, viewOf } from './coverage-meets.ts';
import type { Position } from './point.ts';

/** Units per degree in which footprints are stored; one unit is about 11 mm. */
export const UNITS = 1e7;

/**
 * Test of whether a footprint intersects a shape. The footprint's corners are the eight numbers from `at`, longitude
 * before latitude, in units.
 */
export type UnitsTest = (units: Float64Array, at: number) => boolean;

/** Margin in degrees (0.1 m): at smaller distances the comparison in the plane is undecided. */
const SLACK_DEG = 1e-6;
/**
 * Maximum size and latitude, in degrees, for the comparison in the plane; other footprints and shapes are compared on
 * the sphere.
 */
const WIDEST_DEG = 1;
const NORTHMOST_DEG = 75;
/**
 * Maximum number of vertices of a shape that is compared edge by edge, and of a shape for which an inner rectangle is
 * computed.
 */
const VERTICES_MAX = 16;
const INNER_VERTICES_MAX = 256;
const INNER_WIDEST_DEG = 10;

/**
 * Makes a test with the results of `meets` in a fraction of its time: most footprints lie clearly within, around or
 * outside of a shape, which longitudes and latitudes show as in a plane. Undecided footprints are compared on the
 * sphere, by `intersects`. Footprints larger than half the earth intersect nothing.
 */
export function unitsTest(
  ring: readonly Position[],
  shape: Shape,
  intersects: (view: Shape) => boolean = (view) => meets(view, shape),
): UnitsTest {
  const box = alongRing(ring);
  const inner = innerOf(ring, shape, box);
  const shapeBendDeg = bendOf(box.widthDeg, box.north - box.south, box);
  const isFlat = ring.length <= VERTICES_MAX && isSmall(box.widthDeg, box.north - box.south, box);
  // Coordinates x are degrees east of the western side of the bounding box, for the shape and for the corners of a
  // footprint.
  const shapeX = Float64Array.from(ring, ([lon]) => nearest(lon - box.west));
  const shapeY = Float64Array.from(ring, ([, lat]) => lat);
  const [x, y] = [new Float64Array(4), new Float64Array(4)];

  return (units, at) => {
    const firstLon = units[at]! / UNITS;
    const firstX = nearest(firstLon - box.west);
    let isAcross = false;
    for (let corner = 0; corner < 4; corner += 1) {
      const away = units[at + 2 * corner]! / UNITS - firstLon;
      if (away > 180 || away < -180) isAcross = true;
      x[corner] = firstX + away;
      y[corner] = units[at + 2 * corner + 1]! / UNITS;
    }
    return (isAcross ? null : inPlane()) ?? onSphere(units, at);
  };

  /** Returns the result of the comparison in the plane; null if it is not certain. */
  function inPlane(): boolean | null {
    let [west, east, south, north] = [x[0]!, x[0]!, y[0]!, y[0]!];
    for (let corner = 0; corner < 4; corner += 1) {
      const [lon, lat] = [x[corner]!, y[corner]!];
      if (lon < west) west = lon;
      else if (lon > east) east = lon;
      if (lat < south) south = lat;
      else if (lat > north) north = lat;
    }
    const lats = { south, north };
    if (!isSmall(east - west, north - south, lats)) return null;
    const bendDeg = bendOf(east - west, north - south, lats);
    if (isBeyond(west, east, bendDeg, lats)) return false;
    for (let corner = 0; inner && corner < 4; corner += 1) if (isIn(inner, x[corner]!, y[corner]!)) return true;
    return isFlat ? byEdges(bendDeg) : null;
  }

  function isBeyond(west: number, east: number, bendDeg: number, { south, north }: Lats): boolean {
    if (south - bendDeg > box.north || north + bendDeg < box.south) return true;
    const [from, to] = [west - SLACK_DEG, east + SLACK_DEG];
    return from > box.widthDeg ? to < 360 : to < 0 && from + 360 > box.widthDeg;
  }

  /**
   * Compares using the sides of a convex footprint: a vertex of the shape on the inner side of all of them is inside,
   * and a shape that lies entirely on the outer side of one is apart. Margins allow for the bend of great-circle edges.
   */
  function byEdges(bendDeg: number): boolean | null {
    let turn = 0;
    for (let corner = 0; corner < 4; corner += 1) {
      const [next, after] = [(corner + 1) & 3, (corner + 2) & 3];
      const bend = (x[next]! - x[corner]!) * (y[after]! - y[next]!) - (y[next]! - y[corner]!) * (x[after]! - x[next]!);
      if (bend === 0 || bend * turn < 0) return null;
      turn = Math.sign(bend);
    }
    for (let corner = 0; corner < 4; corner += 1) {
      if (farthest(corner, turn) < -marginOf(corner, bendDeg + shapeBendDeg)) return false;
    }
    for (let vertex = 0; vertex < shapeX.length; vertex += 1) {
      let sides = 0;
      while (sides < 4 && turn * leftOf(sides, vertex) > marginOf(sides, bendDeg)) sides += 1;
      if (sides === 4) return true;
    }
    return null;
  }

  /**
   * Returns twice the area of the triangle of a side of the footprint and a vertex of the shape; positive if the vertex
   * is to the left of the side.
   */
  function leftOf(corner: number, vertex: number): number {
    const next = (corner + 1) & 3;
    const [dx, dy] = [x[next]! - x[corner]!, y[next]! - y[corner]!];
    return dx * (shapeY[vertex]! - y[corner]!) - dy * (shapeX[vertex]! - x[corner]!);
  }

  function farthest(corner: number, turn: number): number {
    let maximum = Number.NEGATIVE_INFINITY;
    for (let vertex = 0; vertex < shapeX.length; vertex += 1)
      maximum = Math.max(maximum, turn * leftOf(corner, vertex));
    return maximum;
  }

  function marginOf(corner: number, bendDeg: number): number {
    const next = (corner + 1) & 3;
    const [wide, high] = [Math.abs(x[next]! - x[corner]!), Math.abs(y[next]! - y[corner]!)];
    return bendDeg * wide + SLACK_DEG * (wide + high);
  }

  function onSphere(units: Float64Array, at: number): boolean {
    const view = viewOf(cornersAt(units, at));
    return view !== null && intersects(view);
  }
}

/** Corners of a packed footprint. */
export const cornersAt = (units: Float64Array, at: number): Position[] =>
  [0, 2, 4, 6].map((value): Position => [units[at + value]! / UNITS, units[at + value + 1]! / UNITS]);

const isIn = ({ west, east, south, north }: Inner, lon: number, lat: number): boolean =>
  lon > west && lon < east && lat > south && lat < north;

type Lats = { south: number; north: number };

/** Wraps degrees into -180 to 180. */
const nearest = (deg: number): number => (deg > 180 ? deg - 360 : deg < -180 ? deg + 360 : deg);

const isSmall = (widthDeg: number, heightDeg: number, { south, north }: Lats): boolean =>
  widthDeg < WIDEST_DEG && heightDeg < WIDEST_DEG && south > -NORTHMOST_DEG && north < NORTHMOST_DEG;

/**
 * Returns an upper bound, in degrees of latitude, of the deviation of a great circle from the straight line between its
 * ends. It uses the second derivative of the latitude, sin(lat) cos(lat) + 2 tan(lat) (dlat / dlon)²: the deviation is
 * an eighth of it times the squared width, doubled to allow for its variation along the way.
 */
function bendOf(widthDeg: number, heightDeg: number, { south, north }: Lats): number {
  const steepest = Math.tan((Math.max(-south, north, 0) * Math.PI) / 180);
  return ((widthDeg ** 2 / 16 + (steepest * heightDeg ** 2) / 4) * 2 * Math.PI) / 180 + SLACK_DEG;
}

type Inner = { west: number; east: number; south: number; north: number };

/**
 * Returns a rectangle in longitude and latitude that lies within a shape, around the centre of its bounding box; null
 * if none is found.
 */
function innerOf(ring: readonly Position[], shape: Shape, box: GeoBox): Inner | null {
  const { west, south, widthDeg, north } = box;
  if (ring.length < 3 || ring.length > INNER_VERTICES_MAX || widthDeg > INNER_WIDEST_DEG) return null;
  if (south < -NORTHMOST_DEG || north > NORTHMOST_DEG) return null;
  const scaled = (scale: number): Inner => {
    const [lon, lat] = [widthDeg / 2, (south + north) / 2];
    const [wide, high] = [(widthDeg / 2) * scale, ((north - south) / 2) * scale];
    return { west: lon - wide, east: lon + wide, south: lat - high, north: lat + high };
  };
  let [fits, tooLarge] = [0, 1];
  for (let step = 0; step < 10; step += 1) {
    const scale = (fits + tooLarge) / 2;
    if (contains(shape, shapeOf(aroundOf(scaled(scale), west)))) fits = scale;
    else tooLarge = scale;
  }
  // Reduce by 1 %, which is more than parallels deviate from the great circles between the points around the rectangle.
  return fits > 0 ? scaled(fits * 0.99) : null;
}

/** Returns points along the sides of a rectangle. */
function aroundOf({ west, east, south, north }: Inner, from: number): Position[] {
  const steps = Array.from({ length: 16 }, (_, step) => step / 16);
  const at = (x: number, lat: number): Position => [nearest(from + x), lat];
  return [
    ...steps.map((share) => at(west + (east - west) * share, south)),
    ...steps.map((share) => at(east, south + (north - south) * share)),
    ...steps.map((share) => at(east - (east - west) * share, north)),
    ...steps.map((share) => at(west, north - (north - south) * share)),
  ];
}
