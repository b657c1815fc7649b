import { directionOf } from './coverage-box.ts';
import { MEAN_RADIUS_M } from './great-circle.ts';
import { type Position, shortestTurn, wrapLon } from './point.ts';
import { cross, dot } from './vector.ts';
import { withNarrowEdges } from './wide-area.ts';

/** Most metres by which a great circle between added points leaves the straight edge. */
const DEVIATION_MAX_M = 8;
/** Most points that are added to one shape: one that would need more is further off. */
const POINTS_MAX = 100_000;
/** The same for a shape on a map, which draws it again at each move. */
const DRAWN_MAX = 20_000;
/** Edges are cut to this many degrees of longitude at first: one of half a turn has no certain great circle. */
const WIDEST_DEG = 60;
/** No edge that is shorter than this, and nearer to the equator, leaves its great circle by more than DEVIATION_MAX_M. */
const SHORT = { lonDeg: 0.1, latDeg: 0.04, northmostDeg: 75 } as const;

export type StraightPath = { positions: readonly Position[]; isClosed: boolean };
type Edge = { from: Position; to: Position; steps: number };

/**
 * Adds points to lines, or rings (not closed), whose edges are straight in longitude and latitude (RFC 7946, 3.1.1): the
 * great circles between the points then are within 10 m of these edges. Each edge goes the shorter way round.
 */
export function alongStraightEdges(paths: readonly StraightPath[]): Position[][] {
  const cut = paths.map((path) => edgesOf(path).map((edge) => ({ ...edge, steps: stepsOf(edge) })));
  let count = 0;
  for (const edges of cut) for (const { steps } of edges) count += steps - 1;
  const share = Math.min(1, POINTS_MAX / count);
  return cut.map((edges, at) => {
    const points = edges.flatMap((edge) =>
      pointsOf({ ...edge, steps: Math.max(leastOf(edge), 1 + Math.floor((edge.steps - 1) * share)) }),
    );
    const { positions, isClosed } = paths[at]!;
    return isClosed ? points : [...points, positions[positions.length - 1]!];
  });
}

/**
 * Adds points to lines, or rings (closed), so that a Mercator map, which draws straight sides between points, shows edges
 * that are straight in longitude and latitude to within 10 m. Edges along meridians and parallels are straight on both
 * and get no points. Longitudes must not jump at ±180, and go on past it as given.
 */
export function drawnEdges(lines: readonly (readonly (readonly number[])[])[]): number[][][] {
  const cut = lines.map((line) => {
    const places = withNarrowEdges(line);
    return places.slice(1).map((to, at) => {
      const edge = { from: toPlace(places[at]!), to: toPlace(to), given: places[at]! };
      const isSlanted = edge.from[0] !== edge.to[0] && edge.from[1] !== edge.to[1];
      return { ...edge, steps: isSlanted ? stepsOf(edge) : 1 };
    });
  });
  let count = 0;
  for (const edges of cut) for (const { steps } of edges) count += steps - 1;
  const share = Math.min(1, DRAWN_MAX / count);
  return cut.map((edges, at) => {
    const points = edges.flatMap(({ given, ...edge }) => {
      const fewer = { ...edge, steps: 1 + Math.floor((edge.steps - 1) * share) };
      return [given, ...Array.from({ length: fewer.steps - 1 }, (_, step) => placeOn(fewer, step + 1))];
    });
    return [...points, ...lines[at]!.slice(-1)].map((place) => [...place]);
  });
}

const toPlace = ([lon = 0, lat = 0]: readonly number[]): Position => [lon, lat];

const leastOf = ({ from, to }: Omit<Edge, 'steps'>): number =>
  Math.max(1, Math.ceil(Math.abs(shortestTurn(to[0] - from[0])) / WIDEST_DEG));

function edgesOf({ positions, isClosed }: StraightPath): Omit<Edge, 'steps'>[] {
  const edges = positions.slice(1).map((to, at) => ({ from: positions[at]!, to }));
  const last = positions[positions.length - 1];
  return isClosed && last !== undefined ? [...edges, { from: last, to: positions[0]! }] : edges;
}

function stepsOf({ from, to }: Omit<Edge, 'steps'>): number {
  const [wide, high] = [Math.abs(shortestTurn(to[0] - from[0])), Math.abs(to[1] - from[1])];
  const isNorth = Math.max(Math.abs(from[1]), Math.abs(to[1])) > SHORT.northmostDeg;
  if (wide === 0 || (!isNorth && wide < SHORT.lonDeg && high < SHORT.latDeg)) return 1;
  for (let steps = leastOf({ from, to }); ; ) {
    const off = farthestOff({ from, to, steps });
    if (off <= DEVIATION_MAX_M || steps > POINTS_MAX) return steps;
    // The error of a piece decreases with the square of its length.
    steps = Math.max(steps + 1, Math.ceil(steps * Math.sqrt(off / DEVIATION_MAX_M)));
  }
}

/** Metres by which great circles in the place of so many pieces leave the edge, at the most. */
function farthestOff(edge: Edge): number {
  let maximum = 0;
  // The piece that is farthest off is at an end or beside the equator; some more in between make it certain.
  const pieces = Math.min(edge.steps, 8);
  for (let piece = 0; piece < pieces; piece += 1) {
    const step = pieces === 1 ? 0 : Math.round((piece * (edge.steps - 1)) / (pieces - 1));
    const [a, b] = [directionOf(placeOn(edge, step)), directionOf(placeOn(edge, step + 1))];
    const normal = cross(a, b);
    const length = Math.hypot(...normal);
    if (length === 0) continue;
    for (const share of [0.25, 0.5, 0.75]) {
      const off = Math.abs(dot(normal, directionOf(placeOn(edge, step + share)))) / length;
      maximum = Math.max(maximum, Math.asin(Math.min(1, off)) * MEAN_RADIUS_M);
    }
  }
  return maximum;
}

function placeOn({ from, to, steps }: Edge, step: number): Position {
  const share = step / steps;
  return [from[0] + shortestTurn(to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** Points of an edge without its end. */
function pointsOf(edge: Edge): Position[] {
  if (edge.steps === 1) return [edge.from];
  return Array.from({ length: edge.steps }, (_, step): Position => {
    if (step === 0) return edge.from;
    const [lon, lat] = placeOn(edge, step);
    return [wrapLon(lon), lat];
  });
}
