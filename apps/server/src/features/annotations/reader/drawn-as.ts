import { type FeatureGeometry, type FeatureProperties, featureProperties } from '@osprey/contract';
import { bearingDeg, distanceM } from '@osprey/geo';

const drawn = featureProperties.pick({
  ...{ shape: true, centre: true, radius: true, ringCount: true, bearingFrom: true, bearingTo: true },
});
const pointProperties = featureProperties.pick({ symbol: true });
type Drawn = Pick<FeatureProperties, keyof typeof drawn.shape>;
type Place = readonly number[];

/** A vertex may be off by the rounding of a file, metres, and of its numbers, as a share of the radius. */
const OFF_M = 0.05;
const OFF_SHARE = 0.001;
const OFF_DEG = 0.1;
/** Vertices of a round outline are closer than this share of its radius: else a part of it is missing. */
const LEG_SHARE = 0.3;

/**
 * How a feature of an export of ours was drawn, so that its centre and radius can be changed again. Nothing where the
 * geometry is another one by now: a figure made of the old numbers would replace what was changed elsewhere.
 */
export function drawnAs(raw: unknown, geometry: FeatureGeometry): Pick<FeatureProperties, keyof Drawn | 'symbol'> {
  if (geometry.type === 'Point') return pointProperties.safeParse(raw).data ?? {};
  const read = drawn.safeParse(raw);
  return read.success && isDrawnAs(read.data, geometry) ? read.data : {};
}

function isDrawnAs({ shape, centre, radius, ...more }: Drawn, geometry: FeatureGeometry): boolean {
  const [outline, hole] = geometry.type === 'Polygon' ? geometry.coordinates : [];
  if (shape === 'rectangle') return outline !== undefined && hole === undefined && isUpright(outline);
  if (centre === undefined || radius === undefined) return false;
  if (shape === 'rings') {
    const lines = geometry.type === 'MultiLineString' ? geometry.coordinates : [];
    const count = more.ringCount ?? 0;
    return lines.length === count && lines.every((line, at) => isRound(line, centre, (radius * (at + 1)) / count));
  }
  if (outline === undefined || hole !== undefined) return false;
  if (shape === 'circle') return isRound(outline, centre, radius);
  const { bearingFrom, bearingTo } = more;
  if (shape !== 'sector' || bearingFrom === undefined || bearingTo === undefined) return false;
  const [arc, ends] = [outline.slice(1, -1), [outline[0]!, outline.at(-1)!]];
  return (
    ends.every((end) => metres(end, centre) <= offOf(radius)) &&
    isRound(arc, centre, radius) &&
    isToward(arc[0], centre, bearingFrom) &&
    isToward(arc.at(-1), centre, bearingTo)
  );
}

/** Four sides along meridians and parallels by turns. */
function isUpright(ring: readonly Place[]): boolean {
  const along = ring.slice(1).map((place, at) => [0, 1].filter((axis) => place[axis] === ring[at]![axis]).join());
  return ring.length === 5 && ['0,1,0,1', '1,0,1,0'].includes(along.join());
}

const isRound = (line: readonly Place[], centre: Place, radius: number): boolean =>
  line.length > 2 &&
  line.every((place) => Math.abs(metres(place, centre) - radius) <= offOf(radius)) &&
  line.slice(1).every((place, at) => metres(place, line[at]!) <= LEG_SHARE * radius);

function isToward(place: Place | undefined, centre: Place, bearing: number): boolean {
  if (place === undefined) return false;
  const off = Math.abs(bearingDeg(pointOf(centre), pointOf(place)) - bearing) % 360;
  return Math.min(off, 360 - off) <= OFF_DEG;
}

const offOf = (radius: number): number => Math.max(OFF_M, OFF_SHARE * radius);
const pointOf = ([lon = 0, lat = 0]: Place) => ({ lon, lat });
const metres = (a: Place, b: Place): number => distanceM(pointOf(a), pointOf(b));
