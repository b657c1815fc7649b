import { directionOf } from './coverage-box.ts';
import { cellsOfAll } from './coverage-cells.ts';
import { type Arc, axesOf, crosses, holds, planeOf, type Shape, shapeOf, viewOf } from './coverage-meets.ts';
import { cornersAt, type UnitsTest, unitsTest } from './coverage-units.ts';
import { areaTiles } from './cut-area.ts';
import { bearingDeg, destination } from './great-circle.ts';
import { type Point, type Position, shortestTurn, toPosition } from './point.ts';
import { alongStraightEdges, type StraightPath } from './straight-edges.ts';
import { cross, dot, unit, type Vector } from './vector.ts';
import { ringsAsDrawn } from './wide-area.ts';

/** Positions of rings are not closed; holes come after the outer ring. A line of one position is a point. Edges are great circles. */
export type TargetPart =
  | { kind: 'area'; rings: readonly (readonly Position[])[] }
  | { kind: 'line'; positions: readonly Position[] };

/** A search area on the ground, with any number of parts, prepared for comparison with many footprints. */
export type Target = {
  /** Whether a footprint has a point in common with any part. The border belongs to the part. */
  intersects: (view: Shape) => boolean;
  /** Grid cells in which the search area lies. */
  cells: number[];
  middle: Position;
  /**
   * Returns the share of the search area that lies within a footprint, from 0 to 1, estimated with a few hundred grid
   * points and accurate to about 0.05. For lines and points, their positions are used as sample points.
   */
  shareIn: (view: Shape) => number;
  /** Returns `intersects` for packed footprints, faster where the parts are few. */
  unitsTest: () => UnitsTest;
};

/**
 * Number of edges per chunk. The edges of a chunk are compared with a footprint only if the cap around the chunk can
 * touch it.
 */
const CHUNK_EDGES = 8;
/**
 * Minimum number of sample points for a share. The grid is refined from `first` up to `last` steps until that number is
 * reached.
 */
const SAMPLES_MIN = 150;
const GRID = { first: 24, last: 384 } as const;

/** Parts that are compared in the plane first; more are faster in groups of edges. */
const PLAIN_PARTS = 16;
/** Points of the earth at which the share of an area larger than half of it is counted. */
const GLOBE_SAMPLES = 4000;

/** A spherical cap; `reach` is the cosine of its radius. A cap of 90 degrees or more is taken to contain everything. */
type Cap = { middle: Vector; reach: number };
type Chunk = Cap & { arcs: Arc[] };
type Made = Cap & { first: Vector; chunks: Chunk[]; inside: ((at: Vector) => boolean) | null };

/**
 * Prepares a search area for comparison with many footprints.
 *
 * @throws RangeError if there are no parts, or an area does not fit within half the earth
 */
export function targetOf(parts: readonly TargetPart[]): Target {
  const made = parts.map(madeOf);
  const positions = parts.flatMap((part) => (part.kind === 'area' ? part.rings.flat() : part.positions));
  if (positions.length === 0) throw new RangeError('There is nothing to look for');
  const cap = capOf(positions.map(directionOf));
  const intersects = (view: Shape) => {
    const looked = lookedAt(view);
    return made.some((part) => meetsPart(part, looked));
  };
  let samples: Vector[] | null = null;
  return {
    intersects,
    cells: cellsOfParts(parts),
    middle: positionOf(cap.middle),
    shareIn(view) {
      samples ??= samplesOf(made, cap, positions);
      return samples.filter((at) => holds(view, at)).length / samples.length;
    },
    unitsTest: () => unitsTestOf(parts, made, intersects),
  };
}

function unitsTestOf(
  parts: readonly TargetPart[],
  made: readonly Made[],
  intersects: (view: Shape) => boolean,
): UnitsTest {
  const rings = parts.flatMap((part) => (part.kind === 'area' ? part.rings : [part.positions]));
  const isPlain = parts.every((part) => (part.kind === 'area' ? part.rings.length : part.positions.length) === 1);
  if (!isPlain || parts.length > PLAIN_PARTS) {
    return (units, at) => {
      const view = viewOf(cornersAt(units, at));
      return view !== null && intersects(view);
    };
  }
  const tests = rings.map((ring, at) => unitsTest(ring, shapeOf(ring), (view) => meetsPart(made[at]!, lookedAt(view))));
  return (units, at) => tests.some((test) => test(units, at));
}

/** A shape whose edges are straight in longitude and latitude; rings are closed. */
export type StraightShape =
  | { kind: 'area'; rings: readonly (readonly Position[])[] }
  | { kind: 'line'; positions: readonly Position[] };

/**
 * The parts of shapes that were drawn, with edges that are within 10 m of straight ones; wide areas in pieces.
 *
 * @throws RangeError for a ring around the earth that comes to the equator, and so has no certain inside
 */
export function straightParts(shapes: readonly StraightShape[]): TargetPart[] {
  const open = shapes.flatMap((shape): TargetPart[] => {
    if (shape.kind === 'line') return [shape];
    const rings = ringsAsDrawn(shape.rings) as Position[][];
    if (isAroundEarth(rings[0]!)) throw new RangeError('The shape is larger than half the earth');
    const tiles = areaTiles(rings);
    // An area without a surface is the line around it.
    if (tiles.length === 0) return [{ kind: 'line', positions: shape.rings[0] ?? [] }];
    return tiles.map((rings) => ({ kind: 'area', rings: rings.map((ring) => ring.slice(0, -1)) }));
  });
  const paths = alongStraightEdges(
    open.flatMap((part): StraightPath[] =>
      part.kind === 'line'
        ? [{ positions: part.positions, isClosed: false }]
        : part.rings.map((positions) => ({ positions, isClosed: true })),
    ),
  );
  let at = 0;
  return open.map((part): TargetPart => {
    if (part.kind === 'line') return { kind: 'line', positions: paths[at++]! };
    at += part.rings.length;
    return { kind: 'area', rings: paths.slice(at - part.rings.length, at) };
  });
}

function isAroundEarth(ring: readonly Position[]): boolean {
  const turn = ring.reduce((sum, [lon], at) => sum + (at === 0 ? 0 : shortestTurn(lon - ring[at - 1]![0])), 0);
  const isOnOneSide = ring.every(([, lat]) => lat > 0) || ring.every(([, lat]) => lat < 0);
  return Math.abs(turn) > 180 && !isOnOneSide;
}

/** Pieces of a leg that make one part of a corridor, and the most degrees of longitude of such a part. */
const STRIP_PIECES = 8;
const STRIP_DEG = 60;

/**
 * A corridor of this width along a line that is straight in longitude and latitude, as areas that overlap: strips along
 * each leg, and a round one at each bend and end.
 */
export function corridorParts(line: readonly Position[], widthM: number): TargetPart[] {
  const legs = line
    .slice(1)
    .flatMap((to, at) => (isSamePlace(to, line[at]!) ? [] : [{ positions: [line[at]!, to], isClosed: false }]));
  const strips = alongStraightEdges(legs).flatMap((leg) => stripsAlong(leg, widthM / 2));
  return [...strips, ...line.map(([lon, lat]) => circlePart({ lon, lat }, widthM / 2, 24))];
}

const isSamePlace = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

function stripsAlong(leg: readonly Position[], halfM: number): TargetPart[] {
  const points = leg.map(([lon, lat]): Point => ({ lon, lat }));
  const aside = points.map((point, at) => {
    const [before, next] = [points[at - 1], points[at + 1]];
    const ahead = next ? bearingDeg(point, next) : bearingDeg(point, before!) + 180;
    return [ahead - 90, ahead + 90].map((bearing) => toPosition(destination(point, bearing, halfM)));
  });
  const parts: TargetPart[] = [];
  for (let start = 0, end = 1; end < points.length; end += 1) {
    const isLast = end === points.length - 1;
    const isFull = end - start === STRIP_PIECES || Math.abs(shortestTurn(leg[end]![0] - leg[start]![0])) >= STRIP_DEG;
    if (!isLast && !isFull) continue;
    const own = aside.slice(start, end + 1);
    const ring = [...own.map(([left]) => left!), ...own.map(([, right]) => right!).toReversed()];
    parts.push({ kind: 'area', rings: [ring] });
    start = end;
  }
  return parts;
}

/** Returns a polygon around a circle; the polygon's sides touch the circle from outside. */
export function circlePart(centre: Point, radiusM: number, corners = 72): TargetPart {
  const outside = radiusM / Math.cos(Math.PI / corners);
  const ring = Array.from({ length: corners }, (_, at) =>
    toPosition(destination(centre, (-at * 360) / corners, outside)),
  );
  return { kind: 'area', rings: [ring] };
}

function madeOf(part: TargetPart): Made {
  const isArea = part.kind === 'area';
  const rings = (isArea ? part.rings : [part.positions]).map((ring) => ring.map(directionOf));
  const chunks = rings.flatMap((ring) => chunked(arcsOf(ring, isArea)));
  return { ...capOf(rings.flat()), first: rings[0]![0]!, chunks, inside: isArea ? insideOf(part.rings) : null };
}

type View = { view: Shape; seen: Cap; arcs: readonly Arc[] };

const lookedAt = (view: Shape): View => ({
  view,
  seen: { middle: view.middle, reach: view.reach },
  arcs: arcsOf(view.ring, true),
});

function meetsPart(part: Made, { view, seen, arcs }: View): boolean {
  if (areApart(part, seen)) return false;
  if (holds(view, part.first) || part.inside?.(view.ring[0]!)) return true;
  return part.chunks.some(
    (chunk) => !areApart(chunk, seen) && chunk.arcs.some((edge) => arcs.some((against) => crosses(edge, against))),
  );
}

const isSame = (a: Vector, b: Vector): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

function areApart(one: Cap, other: Cap): boolean {
  if (one.reach <= 0 || other.reach <= 0) return false;
  const angle = (cos: number) => Math.acos(Math.min(1, cos));
  return angle(dot(one.middle, other.middle)) > angle(one.reach) + angle(other.reach) + 1e-9;
}

function capOf(points: readonly Vector[]): Cap {
  const sum = points.reduce<Vector>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
  if (Math.hypot(...sum) < 1e-9) return { middle: [0, 0, 1], reach: 0 };
  const middle = unit(sum);
  const reach = points.reduce((minimum, at) => Math.min(minimum, dot(at, middle)), 1);
  return { middle, reach: Math.max(0, reach) };
}

function arcsOf(ring: readonly Vector[], isClosed: boolean): Arc[] {
  return ring.flatMap((from, at): Arc[] => {
    const to = ring[at + 1] ?? (isClosed ? ring[0]! : from);
    return isSame(from, to) ? [] : [[from, to, cross(from, to)]];
  });
}

function chunked(arcs: readonly Arc[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < arcs.length; at += CHUNK_EDGES) {
    const own = arcs.slice(at, at + CHUNK_EDGES);
    chunks.push({ ...capOf(own.flatMap((arc) => arc.slice(0, 2) as Vector[])), arcs: own });
  }
  return chunks;
}

type Side = [x: number, y: number, toX: number, toY: number];

/**
 * Returns a test of whether a point is inside, by the even-odd rule over all rings, in the plane around the outer ring.
 * Sides are grouped in rows, so that only the sides in the point's row are checked.
 */
function insideOf(rings: readonly (readonly Position[])[]): (at: Vector) => boolean {
  const { middle } = shapeOf(rings[0]!);
  const flat = planeOf({ middle });
  const sides = rings.flatMap((ring): Side[] => {
    const corners = ring.map((position) => flat(directionOf(position)));
    return corners.map(([x, y], at): Side => [x, y, ...corners[(at + 1) % corners.length]!]);
  });
  const south = sides.reduce((minimum, [, y]) => Math.min(minimum, y), Number.POSITIVE_INFINITY);
  const north = sides.reduce((most, [, y]) => Math.max(most, y), Number.NEGATIVE_INFINITY);
  const count = Math.max(1, Math.ceil(sides.length / 8));
  const rowOf = (y: number) =>
    Math.min(count - 1, Math.max(0, Math.floor(((y - south) / (north - south || 1)) * count)));
  const rows: Side[][] = Array.from({ length: count }, () => []);
  for (const side of sides) {
    const [first, last] = [rowOf(Math.min(side[1], side[3])), rowOf(Math.max(side[1], side[3]))];
    for (let row = first; row <= last; row += 1) rows[row]!.push(side);
  }
  return (at) => {
    if (dot(at, middle) <= 0) return false;
    const [x, y] = flat(at);
    if (y < south || y > north) return false;
    const before = rows[rowOf(y)]!.filter(
      ([fromX, fromY, toX, toY]) => fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX),
    );
    return before.length % 2 === 1;
  };
}

function cellsOfParts(parts: readonly TargetPart[]): number[] {
  const paths = parts.flatMap((part): (readonly Position[])[] => {
    if (part.kind === 'area') return [part.rings[0]!];
    const { positions } = part;
    const pieces: (readonly Position[])[] = [];
    for (let at = 0; at === 0 || at < positions.length - 1; at += CHUNK_EDGES) {
      pieces.push(positions.slice(at, at + CHUNK_EDGES + 1));
    }
    return pieces;
  });
  return cellsOfAll(paths);
}

function samplesOf(parts: readonly Made[], cap: Cap, positions: readonly Position[]): Vector[] {
  const corners = positions.map(directionOf);
  const areas = parts.filter(({ inside }) => inside !== null);
  if (areas.length === 0) return corners;
  if (cap.reach <= 0) {
    const found = globeSamples().filter((at) => areas.some(({ inside }) => inside!(at)));
    return found.length > 0 ? found : corners;
  }
  const flat = planeOf(cap);
  const [, east, north] = axesOf(cap.middle);
  const planarCorners = corners.map(flat);
  const span = (axis: 0 | 1) => {
    const values = planarCorners.map((one) => one[axis]);
    const minimum = values.reduce((a, b) => Math.min(a, b));
    return { least: minimum, width: values.reduce((a, b) => Math.max(a, b)) - minimum };
  };
  const [x, y] = [span(0), span(1)];
  for (let steps: number = GRID.first; ; steps *= 2) {
    const found: Vector[] = [];
    for (let row = 0; row < steps; row += 1) {
      for (let column = 0; column < steps; column += 1) {
        // Stagger rows and columns, so that sample points along a border parallel to the grid do not all fall on one
        // side of it.
        const [right, up] = [
          x.least + (x.width * (column + staggered(row))) / steps,
          y.least + (y.width * (row + staggered(column))) / steps,
        ];
        const at = unit([0, 1, 2].map((axis) => cap.middle[axis]! + right * east[axis]! + up * north[axis]!) as Vector);
        if (areas.some(({ inside }) => inside!(at))) found.push(at);
      }
    }
    if (found.length >= SAMPLES_MIN) return found;
    if (steps >= GRID.last) return found.length > 0 ? found : corners;
  }
}

/** Points evenly over the earth: on a spiral from pole to pole (Fibonacci lattice). */
function globeSamples(): Vector[] {
  return Array.from({ length: GLOBE_SAMPLES }, (_, at): Vector => {
    const z = 1 - (2 * at + 1) / GLOBE_SAMPLES;
    const turn = 2 * Math.PI * staggered(at);
    return [Math.sqrt(1 - z * z) * Math.cos(turn), Math.sqrt(1 - z * z) * Math.sin(turn), z];
  });
}

/** Returns an offset between 0 and 1; the offsets of consecutive indexes are evenly spread. */
const staggered = (index: number): number => (index * 0.618034) % 1;

function positionOf([x, y, z]: Vector): Position {
  return [(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI];
}
