import type { CasePart } from '@osprey/contract';

type Placed = Pick<CasePart, '_id' | 'extent'>;
type Corner = [lon: number, lat: number];
type Properties = { id: string; place: string };
type Drawn = {
  type: 'Feature';
  geometry: { type: 'Point'; coordinates: Corner } | { type: 'Polygon'; coordinates: Corner[][] };
  properties: Properties;
};
export type PartFeatures = { type: 'FeatureCollection'; features: Drawn[] };

/** Returns the extent with longitudes that increase from west to east; across the antimeridian, `east` exceeds 180. */
const unrolled = ([west, south, east, north]: NonNullable<CasePart['extent']>) => ({
  west,
  south,
  east: east < west ? east + 360 : east,
  north,
});

/**
 * Returns the map features of all parts, each with its position in the case: the area that it covers, and a dot in the
 * middle of the area.
 */
export function featuresOf(parts: readonly Placed[]): PartFeatures {
  const features = parts.flatMap(({ _id, extent }, index): Drawn[] => {
    if (extent === null) return [];
    const { west, south, east, north } = unrolled(extent);
    const properties = { id: _id, place: String(index + 1) };
    const middle: Corner = [(west + east) / 2, (south + north) / 2];
    const dot: Drawn = { type: 'Feature', geometry: { type: 'Point', coordinates: middle }, properties };
    if (west === east && south === north) return [dot];
    const corners: Corner[] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [corners] }, properties }, dot];
  });
  return { type: 'FeatureCollection', features };
}

/** Margin around a single point in degrees, so that the map shows where it is. */
const AROUND = 0.01;

/** Returns the south-west and north-east corners of an area that contains all parts; null if no part has a place. */
export function boundsOf(parts: readonly Placed[]): [Corner, Corner] | null {
  const boxes = parts.flatMap(({ extent }) => (extent === null ? [] : [unrolled(extent)]));
  const [first] = boxes;
  if (first === undefined) return null;
  // Boxes beyond the antimeridian are shifted by 360 degrees if they are then closer to the first box.
  const near = boxes.map((box) => {
    const turn = 360 * Math.round((first.west - box.west) / 360);
    return { ...box, west: box.west + turn, east: box.east + turn };
  });
  const minimum = (of: (box: (typeof near)[number]) => number) =>
    near.reduce((low, box) => Math.min(low, of(box)), Infinity);
  return [
    [minimum(({ west }) => west) - AROUND, minimum(({ south }) => south) - AROUND],
    [-minimum(({ east }) => -east) + AROUND, -minimum(({ north }) => -north) + AROUND],
  ];
}
