/**
 * Reads coast, lakes and rivers from GSHHG in the format of GMT, which stores them in bins of one degree: Wessel, P.,
 * and W. H. F. Smith, A global, self-consistent, hierarchical, high-resolution shoreline database, J. Geophys. Res. 101
 * (B4), 1996.
 */
type Read = (name: string) => Int32Array;

/**
 * Points as alternating longitude and latitude, in degrees. `level` of a shore: 1 land, 2 lake, 3 island in a lake, 4
 * pond on such an island; `level` of a river: 1 to 10.
 */
export type Line = { level: number; points: Float64Array };

/** Coordinate steps across a bin of one degree. */
const STEPS = 65_535;
const COLUMNS = 360;
const ROWS = 180;
const AROUND = COLUMNS * STEPS;
const GROUNDING_LINE = 6;
/** Marker of a segment that is a complete polygon inside its bin. */
const CLOSED = 4;

type Segment = { level: number; isClosed: boolean; polygon: number; points: Float64Array };

/** Returns the points of a segment, in steps counted from 0° E and 90° S. */
function pointsOf(
  read: { lons: Int32Array; lats: Int32Array },
  bin: number,
  first: number,
  count: number,
): Float64Array {
  const west = (bin % COLUMNS) * STEPS;
  const south = (ROWS - 1 - Math.floor(bin / COLUMNS)) * STEPS;
  const points = new Float64Array(2 * count);
  for (let index = 0; index < count; index += 1) {
    points[2 * index] = west + (read.lons[first + index]! & 0xffff);
    points[2 * index + 1] = south + (read.lats[first + index]! & 0xffff);
  }
  return points;
}

function* segmentsOf(
  read: Read,
  of: (segment: number) => Omit<Segment, 'points'> & { count: number },
): Generator<Segment> {
  const places = {
    lons: read('Relative_longitude_from_SW_corner_of_bin'),
    lats: read('Relative_latitude_from_SW_corner_of_bin'),
  };
  const firsts = read('Id_of_first_segment_in_a_bin');
  const counts = read('N_segments_in_a_bin');
  const points = read('Id_of_first_point_in_a_segment');
  for (let bin = 0; bin < firsts.length; bin += 1) {
    for (let at = firsts[bin]!; at < firsts[bin]! + counts[bin]!; at += 1) {
      const { count, ...rest } = of(at);
      yield { ...rest, points: pointsOf(places, bin, points[at]!, count) };
    }
  }
}

/**
 * Returns the outlines of land, lakes, islands in lakes, and ponds on those islands, as closed rings whose longitudes
 * may exceed 180° or 360°.
 */
export function shoresOf(read: Read): Line[] {
  const info = read('Embedded_npts_levels_exit_entry_for_a_segment');
  const polygons = read('Id_of_GSHHS_ID');
  const rings: Line[] = [];
  const pieces = new Map<number, Segment[]>();
  for (const segment of segmentsOf(read, (at) => ({
    level: (info[at]! >> 6) & 7,
    isClosed: (info[at]! & 7) === CLOSED,
    polygon: polygons[at]!,
    count: info[at]! >>> 9,
  }))) {
    if (segment.level === GROUNDING_LINE) continue;
    if (segment.isClosed) rings.push({ level: segment.level, points: toDegrees(segment.points) });
    else pieces.set(segment.polygon, [...(pieces.get(segment.polygon) ?? []), segment]);
  }
  for (const own of pieces.values()) rings.push(...chained(own));
  return rings;
}

/** Joins the pieces of one polygon. Each piece lies in one bin, and pieces meet at the edges of bins. */
function chained(pieces: readonly Segment[]): Line[] {
  const keyOf = (x: number, y: number) => `${((x % AROUND) + AROUND) % AROUND} ${y}`;
  const byStart = new Map<string, Segment[]>();
  for (const piece of pieces) {
    const key = keyOf(piece.points[0]!, piece.points[1]!);
    byStart.set(key, [...(byStart.get(key) ?? []), piece]);
  }
  const rings: Line[] = [];
  for (const first of pieces) {
    const points: number[] = [];
    let piece = takeFrom(byStart, keyOf(first.points[0]!, first.points[1]!), first);
    while (piece !== undefined) {
      append(points, piece.points);
      piece = takeFrom(byStart, keyOf(points.at(-2)!, points.at(-1)!));
    }
    if (points.length > 0) rings.push({ level: first.level, points: toDegrees(aroundPole(points)) });
  }
  return rings;
}

function takeFrom(byStart: Map<string, Segment[]>, key: string, requested?: Segment): Segment | undefined {
  const there = byStart.get(key);
  const at = requested === undefined ? 0 : (there?.indexOf(requested) ?? -1);
  return there === undefined || at < 0 ? undefined : there.splice(at, 1)[0];
}

/** Appends points with longitudes that continue from the last point, even past the meridian of 0°. */
function append(points: number[], next: Float64Array): void {
  const shift = points.length === 0 ? 0 : Math.round((points.at(-2)! - next[0]!) / AROUND) * AROUND;
  for (let index = points.length === 0 ? 0 : 2; index < next.length; index += 2) {
    points.push(next[index]! + shift, next[index + 1]!);
  }
}

/** Closes the outline of Antarctica, which runs once around the earth, by adding a line along the pole. */
function aroundPole(points: number[]): number[] {
  const [x0 = 0] = points;
  const last = points.at(-2)!;
  return Math.abs(last - x0) < AROUND / 2 ? points : [...points, last, 0, x0, 0];
}

function toDegrees(points: ArrayLike<number>): Float64Array {
  const degrees = new Float64Array(points.length);
  for (let index = 0; index < points.length; index += 2) {
    degrees[index] = points[index]! / STEPS;
    degrees[index + 1] = points[index + 1]! / STEPS - 90;
  }
  return degrees;
}

/** Returns rivers and canals, divided at the borders of bins. */
export function riversOf(read: Read): Line[] {
  const counts = read('N_points_for_a_segment');
  const levels = read('Hierarchial_level_of_a_segment');
  const of = (at: number) => ({ level: levels[at]!, isClosed: false, polygon: 0, count: counts[at]! & 0xffff });
  return [...segmentsOf(read, of)].map(({ level, points }) => ({ level, points: toDegrees(points) }));
}
