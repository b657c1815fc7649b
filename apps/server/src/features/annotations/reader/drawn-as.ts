import { type FeatureGeometry, type FeatureProperties, featureProperties } from '@osprey/contract';
import { bearingDeg, distanceM } from '@osprey/geo';

const drawn = featureProperties.pick({
  ...{ shape: true, centre: true, radius: true, ringCount: true, bearingFrom: true, bearingTo: true },
});
const pointProperties = featureProperties.pick({ symbol: true });
type Drawn = Pick<FeatureProperties, keyof typeof drawn.shape>;
type Place = readonly number[];

/**
 * Tolerances of a vertex: for the rounding of the file, in metres, and for that of its numbers, as a share of the
 * radius.
 */
const TOLERANCE_M = 0.05;
const TOLERANCE_SHARE = 0.001;
const TOLERANCE_DEG = 0.1;
/**
 * Maximum distance between vertices of a round outline, as a share of its radius; if it is exceeded, part of the
 * outline is missing.
 */
const LEG_SHARE = 0.3;

/**
 * Returns how a feature from an export of this server was drawn, so that its centre and radius can be edited again.
 * Returns nothing if the geometry has been changed since, because redrawing the figure from the old numbers would undo
 * that change.
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

/** Whether a ring consists of four sides that alternately follow meridians and parallels. */
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
  return Math.min(off, 360 - off) <= TOLERANCE_DEG;
}

const offOf = (radius: number): number => Math.max(TOLERANCE_M, TOLERANCE_SHARE * radius);
const pointOf = ([lon = 0, lat = 0]: Place) => ({ lon, lat });
const metres = (a: Place, b: Place): number => distanceM(pointOf(a), pointOf(b));
