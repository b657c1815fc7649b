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

/** West to east without a jump: across the antimeridian east is beyond 180. */
const unrolled = ([west, south, east, north]: NonNullable<CasePart['extent']>) => ({
  west,
  south,
  east: east < west ? east + 360 : east,
  north,
});

/**
 * Returns the map features of each part, with its place in the case: the area that it covers, and a dot in its middle.
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

/** Around a single point, so that the map shows where it is, degrees. */
const AROUND = 0.01;

/** South-west and north-east of all; null where no part has a place. */
export function boundsOf(parts: readonly Placed[]): [Corner, Corner] | null {
  const boxes = parts.flatMap(({ extent }) => (extent === null ? [] : [unrolled(extent)]));
  const [first] = boxes;
  if (first === undefined) return null;
  // Boxes on the other side of the antimeridian are shifted by 360 degrees if that is nearer to the first box.
  const near = boxes.map((box) => {
    const turn = 360 * Math.round((first.west - box.west) / 360);
    return { ...box, west: box.west + turn, east: box.east + turn };
  });
  const least = (of: (box: (typeof near)[number]) => number) =>
    near.reduce((low, box) => Math.min(low, of(box)), Infinity);
  return [
    [least(({ west }) => west) - AROUND, least(({ south }) => south) - AROUND],
    [-least(({ east }) => -east) + AROUND, -least(({ north }) => -north) + AROUND],
  ];
}
