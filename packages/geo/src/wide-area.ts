import { shortestTurn } from './point.ts';

/** Width in degrees of an edge above which a point is added: two such edges are still less than half a turn. */
const EDGE_DEG = 89;
const TURN_MAX_DEG = 3 * 360;
/** How many times more slender than the other a reading of a ring is that was not meant. */
const SLENDER = 7;

/**
 * The ring (closed) with points added so that no edge is half a turn wide: what goes the shorter way round then is what
 * was drawn. Longitudes go on past ±180 as drawn.
 */
export function withNarrowEdges<Place extends readonly number[]>(ring: readonly Place[]): number[][] {
  return ring.flatMap((to, at): number[][] => {
    const from = ring[at - 1];
    const turn = from === undefined ? 0 : to[0]! - from[0]!;
    // A value that is no longitude is left to the reader of the file.
    if (from === undefined || !(Math.abs(turn) >= 180 && Math.abs(turn) <= TURN_MAX_DEG)) return [[...to]];
    const steps = Math.ceil(Math.abs(turn) / EDGE_DEG);
    const added = Array.from({ length: steps - 1 }, (_, step) => {
      const share = (step + 1) / steps;
      return [from[0]! + turn * share, from[1]! + (to[1]! - from[1]!) * share];
    });
    return [...added, [...to]];
  });
}

/**
 * Reads the rings of an area (closed, the outline first) as RFC 7946 has them: a ring with an edge of more than 180 degrees
 * is as wide as it is drawn. Many programs mean the short way across the antimeridian by such an edge. If one of the two
 * readings is a belt around the earth or a sliver, the other one is taken; else the reading whose outline turns
 * counterclockwise, as outlines do (3.1.6). Rings around a pole are returned unchanged. Returned rings have no edge of
 * half a turn or more except across the antimeridian.
 */
export function ringsAsDrawn<Place extends readonly number[]>(rings: readonly (readonly Place[])[]): number[][][] {
  const [outline = [], ...holes] = rings;
  const drawn = isAcrossAntimeridian(outline) ? copied(outline) : withNarrowEdges(outline);
  const width = ringSpanDeg(drawn);
  // A hole is no wider than its area.
  const isHoleAcross = (hole: readonly Place[]) => !isPastGlobe(hole) && spanOf(hole, (turn) => turn) > width;
  return [drawn, ...holes.map((hole) => (isHoleAcross(hole) ? copied(hole) : withNarrowEdges(hole)))];
}

/** Width in degrees of a ring whose edges each go the shorter way round. */
export const ringSpanDeg = (ring: readonly (readonly number[])[]): number => spanOf(ring, shortestTurn);

const copied = (ring: readonly (readonly number[])[]): number[][] => ring.map((place) => [...place]);
const isPastGlobe = (ring: readonly (readonly number[])[]): boolean => ring.some(([lon = 0]) => Math.abs(lon) > 180);

/** Degrees between the easternmost and the westernmost point, with edges that turn like this. */
function spanOf(ring: readonly (readonly number[])[], turnOf: (turn: number) => number): number {
  let [at, least, most] = [0, 0, 0];
  ring.forEach(([lon = 0], index) => {
    at += index === 0 ? 0 : turnOf(lon - ring[index - 1]![0]!);
    [least, most] = [Math.min(least, at), Math.max(most, at)];
  });
  return most - least;
}

function isAcrossAntimeridian(ring: readonly (readonly number[])[]): boolean {
  if (isPastGlobe(ring)) return false;
  const turns = ring.slice(1).map(([lon = 0], at) => lon - ring[at]![0]!);
  if (!turns.some((turn) => Math.abs(turn) > 180 && Math.abs(turn) < 360)) return false;
  const short = turns.map(shortestTurn);
  const isAroundPole = Math.abs(short.reduce((sum, turn) => sum + turn, 0)) > 180;
  // A ring around a pole has an edge across the antimeridian too, and others that are not much wider.
  if (isAroundPole) return short.every((turn) => Math.abs(turn) <= 90) || areaOf(ring) <= 0;
  const [drawn, across] = [slendernessOf(ring, (turn) => turn), slendernessOf(ring, shortestTurn)];
  if (drawn > SLENDER * across) return true;
  return across <= SLENDER * drawn && areaOf(ring) <= 0;
}

/** Ratio of the longer to the shorter side of the box around a ring. */
function slendernessOf(ring: readonly (readonly number[])[], turnOf: (turn: number) => number): number {
  const wide = spanOf(ring, turnOf);
  let [south, north] = [90, -90];
  for (const [, lat = 0] of ring) [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  const high = Math.max(north - south, 1e-9);
  return Math.max(wide / high, high / wide);
}

/** Twice the area in the plane of longitudes and latitudes, positive against the clock. */
function areaOf(ring: readonly (readonly number[])[]): number {
  const [lon = 0, lat = 0] = ring[0] ?? [];
  let sum = 0;
  for (let at = 1; at < ring.length; at += 1) {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [ring[at - 1]!, ring[at]!];
    sum += (a - lon) * (d - lat) - (c - lon) * (b - lat);
  }
  return sum;
}
