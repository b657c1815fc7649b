import type { RowSet } from './coverage-rows.ts';
import { MEAN_RADIUS_M } from './great-circle.ts';
import { type Position, RADIANS } from './point.ts';
import { simplifyLine } from './simplify.ts';

/** A GeoJSON MultiPolygon: outer rings run anticlockwise and holes clockwise; all rings are closed. */
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Position[][][] };

/** A corner of the stepped outline: its longitude, and the number of the border between two rows. */
type Corner = { lon: number; border: number };

/** Returns the outline of the covered rows, smoothed with a tolerance of half a row's height. */
export function outlineOf(rows: RowSet): MultiPolygon {
  const rings = trace(edgesOf(rows)).map((ring) => smooth(ring, rows));
  const outers = rings.filter((ring) => turning(ring) > 0).map((ring) => [ring]);
  for (const hole of rings.filter((ring) => turning(ring) < 0)) {
    const around = outers.filter(([outer]) => holds(outer!, hole[0]!));
    // If outlines are nested, the hole belongs to the smallest one around it.
    around.sort(([a], [b]) => turning(a!) - turning(b!))[0]?.push(hole);
  }
  return { type: 'MultiPolygon', coordinates: outers };
}

/**
 * Next corners of the outline, by the start of the edge that leads to them; the covered side is to the left of the
 * edge.
 */
type Edges = Map<string, Corner[]>;

const keyOf = ({ lon, border }: Corner): string => `${border}/${lon}`;

function edgesOf(rows: RowSet): Edges {
  const edges: Edges = new Map();
  const link = (from: Corner, to: Corner) => {
    const existing = edges.get(keyOf(from));
    if (existing) existing.push(to);
    else edges.set(keyOf(from), [to]);
  };
  const byIndex = new Map<number, readonly number[]>();
  rows.forEach((index, ends) => {
    byIndex.set(index, ends);
  });
  for (const [index, ends] of byIndex) {
    for (let at = 0; at < ends.length; at += 2) {
      const [west, east] = [ends[at]!, ends[at + 1]!];
      link({ lon: west, border: index + 1 }, { lon: west, border: index });
      link({ lon: east, border: index }, { lon: east, border: index + 1 });
    }
    for (const [west, east] of difference(ends, byIndex.get(index - 1) ?? [])) {
      link({ lon: west, border: index }, { lon: east, border: index });
    }
    for (const [west, east] of difference(ends, byIndex.get(index + 1) ?? [])) {
      link({ lon: east, border: index + 1 }, { lon: west, border: index + 1 });
    }
  }
  return edges;
}

/** Returns the longitude ranges of `a` that `b` does not cover. */
function difference(a: readonly number[], b: readonly number[]): [west: number, east: number][] {
  const rest: [number, number][] = [];
  let other = 0;
  for (let at = 0; at < a.length; at += 2) {
    let west = a[at]!;
    const east = a[at + 1]!;
    while (other < b.length && b[other + 1]! <= west) other += 2;
    for (let next = other; next < b.length && b[next]! < east; next += 2) {
      if (b[next]! > west) rest.push([west, b[next]!]);
      west = Math.max(west, b[next + 1]!);
    }
    if (west < east) rest.push([west, east]);
  }
  return rest;
}

/** Chains edges into rings, using each once. */
function trace(edges: Edges): Corner[][] {
  const rings: Corner[][] = [];
  for (const key of edges.keys()) {
    for (let at = edges.get(key)!.pop(); at; at = edges.get(key)!.pop()) {
      const ring: Corner[] = [];
      for (let next: Corner | undefined = at; next; next = edges.get(keyOf(next))?.pop()) ring.push(next);
      rings.push(ring);
    }
  }
  return rings;
}

/**
 * Smooths a ring by connecting the middles of its vertical steps, which lie exactly at the ends of the covered ranges;
 * then removes points that are not needed.
 */
function smooth(ring: readonly Corner[], rows: RowSet): Position[] {
  const lat = (border: number) => rows.southOf(border);
  const stepped = ring.map(({ lon, border }): Position => [lon, lat(border)]);
  const middles = ring.flatMap((corner, index): Position[] => {
    const next = ring[(index + 1) % ring.length]!;
    return next.border === corner.border ? [] : [[corner.lon, (lat(corner.border) + lat(next.border)) / 2]];
  });
  // A single row has only two such middles, so its rectangle is kept.
  const points = middles.length > 3 ? middles : stepped;
  const toleranceM = (rows.heightDeg / 2) * RADIANS * MEAN_RADIUS_M;
  const half = points.length >> 1;
  const simple = [
    ...simplifyLine(points.slice(0, half + 1), toleranceM),
    ...simplifyLine([...points.slice(half), points[0]!], toleranceM).slice(1),
  ];
  return simple.length > 3 && turning(simple) !== 0 ? simple : [...points, points[0]!];
}

/** Returns twice the area of a closed ring, in square degrees; positive if it runs anticlockwise. */
function turning(ring: readonly Position[]): number {
  let sum = 0;
  const [lon0, lat0] = ring[0]!;
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [a, b] = [ring[index]!, ring[index + 1]!];
    sum += (a[0] - lon0) * (b[1] - lat0) - (b[0] - lon0) * (a[1] - lat0);
  }
  return sum;
}

function holds(ring: readonly Position[], [lon, lat]: Position): boolean {
  let inside = false;
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [a, b] = [ring[index]!, ring[index + 1]!];
    if (a[1] > lat !== b[1] > lat && lon < a[0] + ((lat - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
  }
  return inside;
}
