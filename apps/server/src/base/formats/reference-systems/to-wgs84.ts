import type { Geographic, Operation } from './table.ts';

type Place = [lon: number, lat: number];
type Vector = [number, number, number];

const WGS84 = { a: 6378137, rf: 298.257223563 };
const RADIANS = Math.PI / 180;
const SECONDS = RADIANS / 3600;

/**
 * Transforms a position of a datum, in degrees from Greenwich, to WGS 84. Uses the most accurate operation whose area
 * contains the position, or outside all areas the one with the largest area.
 */
export function toWgs84({ a, rf, operations }: Geographic, [lon, lat]: Place): Place {
  const operation = operationAt(operations, [lon, lat]);
  if (operation.parameters.every((value) => value === 0) && Math.abs(a - WGS84.a) < 1) return [lon, lat];
  const moved = moveBy(operation.parameters, toCentre({ a, rf }, [lon, lat]));
  return fromCentre(moved);
}

/** Whether an operation is stated for the place: outside of the areas of all of them its accuracy is not known. */
export const isCovered = ({ operations }: Geographic, place: Place): boolean =>
  operations.some(({ area, parameters }) => parameters.every((value) => value === 0) || holds(area, place));

export function operationAt(operations: readonly Operation[], place: Place): Operation {
  const within = operations.filter(({ area }) => holds(area, place));
  if (within.length === 0) return operations.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best));
  return within.reduce((best, one) => {
    if (one.accuracyM !== best.accuracyM) return one.accuracyM < best.accuracyM ? one : best;
    return sizeOf(one) < sizeOf(best) ? one : best;
  });
}

function holds({ south, west, north, east }: Operation['area'], [lon, lat]: Place): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

const sizeOf = ({ area: { south, west, north, east } }: Operation): number =>
  (north - south) * (west <= east ? east - west : east - west + 360);

/**
 * Helmert transformation, position vector convention. With a pivot it is the Molodensky-Badekas transformation (IOGP
 * 373-7-2, 4.2.3).
 */
function moveBy(parameters: readonly number[], place: Vector): Vector {
  const [dx = 0, dy = 0, dz = 0, rx = 0, ry = 0, rz = 0, millionths = 0, px = 0, py = 0, pz = 0] = parameters;
  const [x, y, z] = [place[0] - px, place[1] - py, place[2] - pz];
  const [a, b, c] = [rx * SECONDS, ry * SECONDS, rz * SECONDS];
  const scale = 1 + millionths / 1e6;
  return [
    scale * (x - c * y + b * z) + dx + px,
    scale * (c * x + y - a * z) + dy + py,
    scale * (-b * x + a * y + z) + dz + pz,
  ];
}

function toCentre({ a, rf }: { a: number; rf: number }, [lon, lat]: Place): Vector {
  const e2 = (2 - 1 / rf) / rf;
  const n = a / Math.sqrt(1 - e2 * Math.sin(lat * RADIANS) ** 2);
  return [
    n * Math.cos(lat * RADIANS) * Math.cos(lon * RADIANS),
    n * Math.cos(lat * RADIANS) * Math.sin(lon * RADIANS),
    n * (1 - e2) * Math.sin(lat * RADIANS),
  ];
}

/**
 * Converts geocentric coordinates to a position. The latitude is found by iteration, which converges in a few steps
 * even at heights of hundreds of metres.
 */
function fromCentre([x, y, z]: Vector): Place {
  const e2 = (2 - 1 / WGS84.rf) / WGS84.rf;
  const across = Math.hypot(x, y);
  let lat = Math.atan2(z, across * (1 - e2));
  for (let turn = 0; turn < 8; turn += 1) {
    const n = WGS84.a / Math.sqrt(1 - e2 * Math.sin(lat) ** 2);
    lat = Math.atan2(z + e2 * n * Math.sin(lat), across);
  }
  return [Math.atan2(y, x) / RADIANS, lat / RADIANS];
}
