type Position = readonly number[];
type Ring = readonly Position[];
/** A GeoJSON geometry; only polygons and multipolygons are checked. */
type Geometry = { type: string; coordinates: unknown };
/** A side of a ring, by its western and its eastern end. */
type Side = { west: Position; east: Position };

/**
 * Maximum number of comparisons of two sides, which take some tens of milliseconds. A real outline of 20,000 points
 * needs a tenth of it.
 */
const COMPARISONS_MAX = 5_000_000;

/**
 * Checks the areas of a geometry against the rules of GeoJSON (RFC 7946, 3.1.6): rings must be closed and must not
 * cross themselves, and holes must be within their area. Returns the fault as a sentence, or null if there is none.
 */
export function outlineFault(geometry: Geometry): string | null {
  const left = { comparisons: COMPARISONS_MAX };
  try {
    for (const area of areasOf(geometry)) {
      for (const ring of area) {
        if (!isClosed(ring)) return 'The outline is not closed: its last point must be its first.';
        if (crossesItself(unrolled(ring), left)) return 'The outline crosses itself.';
      }
      const [outer = [], ...holes] = area.map(unrolled);
      if (holes.some((hole) => isOutside(hole, outer, left))) return 'A hole lies outside of its area.';
    }
  } catch (error) {
    if (error instanceof TooIntricate) return 'The outline is too intricate to be checked.';
    throw error;
  }
  return null;
}

class TooIntricate extends Error {}

function areasOf({ type, coordinates }: Geometry): readonly (readonly Ring[])[] {
  if (type === 'Polygon') return [coordinates as readonly Ring[]];
  return type === 'MultiPolygon' ? (coordinates as readonly (readonly Ring[])[]) : [];
}

const isClosed = (ring: Ring): boolean => ring[0]![0] === ring.at(-1)![0] && ring[0]![1] === ring.at(-1)![1];

/**
 * Returns the ring with longitudes that continue past ±180 where a side would otherwise lead around more than half the
 * globe; a step of a whole turn is kept.
 */
function unrolled(ring: Ring): Ring {
  let turns = 0;
  return ring.map(([lon = 0, lat = 0], index) => {
    const step = lon - (ring[index - 1]?.[0] ?? lon);
    if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
    return [lon + 360 * turns, lat];
  });
}

/** Whether no side of a ring crosses a side of another; false also if the rings are too intricate to be checked. */
export function areApart(rings: readonly Ring[]): boolean {
  try {
    return !crossEachOther(rings.map(unrolled).flatMap(sidesOf), { comparisons: COMPARISONS_MAX });
  } catch (error) {
    if (error instanceof TooIntricate) return false;
    throw error;
  }
}

function sidesOf(ring: Ring): Side[] {
  return ring.slice(1).map((end, at): Side => {
    const start = ring[at]!;
    return start[0]! <= end[0]! ? { west: start, east: end } : { west: end, east: start };
  });
}

/**
 * Whether a ring crosses itself. Sides that only touch do not cross, as in an outline that returns to one of its own
 * points.
 */
const crossesItself = (ring: Ring, left: { comparisons: number }): boolean => crossEachOther(sidesOf(ring), left);

function crossEachOther(sides: Side[], left: { comparisons: number }): boolean {
  sides.sort((a, b) => a.west[0]! - b.west[0]!);
  let open: Side[] = [];
  for (const side of sides) {
    spend(left, open.length);
    open = open.filter(({ east }) => east[0]! > side.west[0]!);
    if (open.some((other) => cross(side, other))) return true;
    open.push(side);
  }
  return false;
}

function cross(a: Side, b: Side): boolean {
  return (
    turn(a.west, a.east, b.west) * turn(a.west, a.east, b.east) < 0 &&
    turn(b.west, b.east, a.west) * turn(b.west, b.east, a.east) < 0
  );
}

/** Returns the turn direction from a to b to c: 1 left, -1 right, 0 straight on. */
const turn = (a: Position, b: Position, c: Position): number =>
  Math.sign((b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!));

/** Whether no corner of the hole is inside the outer ring. */
function isOutside(hole: Ring, outer: Ring, left: { comparisons: number }): boolean {
  return !hole.some((corner) => {
    spend(left, 3 * outer.length);
    const [lon = 0, lat = 0] = corner;
    // Unrolling may have moved the area past ±180 but not the hole.
    return [lon, lon - 360, lon + 360].some((one) => isInside([one, lat], outer));
  });
}

/** Whether a place is inside a ring whose longitudes do not jump at ±180. */
export function isInside([lon = 0, lat = 0]: Position, ring: Ring): boolean {
  const sidesEastOfIt = ring.slice(1).filter((end, at) => {
    const start = ring[at]!;
    if (start[1]! > lat === end[1]! > lat) return false;
    return lon < start[0]! + ((lat - start[1]!) / (end[1]! - start[1]!)) * (end[0]! - start[0]!);
  });
  return sidesEastOfIt.length % 2 === 1;
}

function spend(left: { comparisons: number }, count: number): void {
  left.comparisons -= count;
  if (left.comparisons < 0) throw new TooIntricate();
}
