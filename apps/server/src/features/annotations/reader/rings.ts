type Place = readonly number[];
type Ring = Place[];

/**
 * Number of positions of a ring that are tested against another ring, since a single one may lie exactly on that ring.
 */
const TRIED = 5;

/**
 * Builds areas from the rings of a shape, whatever their direction and order. A ring inside an odd number of others is
 * a hole of the smallest of them.
 */
export function areasOf(rings: readonly Ring[]): Ring[][] {
  const known = rings.filter(({ length }) => length > 0).map((ring, index) => ({ ring, index, ...extentOf(ring) }));
  const holders = holdersOf(known);
  const areas = new Map<number, Ring[]>();
  for (const { ring, index } of known) if (holders.get(index)!.length % 2 === 0) areas.set(index, [ring]);
  for (const { ring, index } of known) {
    const around = holders.get(index)!;
    if (around.length % 2 === 0) continue;
    // The smallest ring comes last.
    areas.get(around.at(-1)!)?.push(ring);
  }
  return [...areas.values()];
}

type Extent = { west: number; south: number; east: number; north: number; size: number };
type Known = Extent & { ring: Ring; index: number };

/**
 * Returns for each ring the rings that contain it, largest first. Rings are processed from west to east, since a ring
 * cannot contain one that begins further west.
 */
function holdersOf(known: readonly Known[]): Map<number, number[]> {
  const holders = new Map<number, number[]>();
  let open: Known[] = [];
  for (const one of [...known].sort((a, b) => a.west - b.west || b.size - a.size)) {
    open = open.filter(({ east }) => east >= one.west);
    const around = open.filter((other) => other.size > one.size && holdsExtent(other, one) && holdsRing(other, one));
    holders.set(
      one.index,
      around.sort((a, b) => b.size - a.size).map(({ index }) => index),
    );
    open.push(one);
  }
  return holders;
}

const holdsExtent = (outer: Extent, inner: Extent): boolean =>
  outer.west <= inner.west && outer.south <= inner.south && outer.east >= inner.east && outer.north >= inner.north;

function holdsRing({ ring: outer }: Known, { ring: inner }: Known): boolean {
  const step = Math.max(1, Math.floor(inner.length / TRIED));
  const tried = inner.filter((_, at) => at % step === 0);
  return tried.filter((place) => isInside(place, outer)).length * 2 > tried.length;
}

function extentOf(ring: Ring): Extent {
  let [west, south, east, north, twice] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (const [at, [x = 0, y = 0]] of ring.entries()) {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length]!;
    [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
    twice += x * nextY - nextX * y;
  }
  return { west, south, east, north, size: Math.abs(twice) };
}

function isInside([x = 0, y = 0]: Place, ring: Ring): boolean {
  let inside = false;
  for (const [at, [endX = 0, endY = 0]] of ring.entries()) {
    const [startX = 0, startY = 0] = ring[(at + ring.length - 1) % ring.length]!;
    if (startY > y !== endY > y && x < startX + ((y - startY) / (endY - startY)) * (endX - startX)) inside = !inside;
  }
  return inside;
}
