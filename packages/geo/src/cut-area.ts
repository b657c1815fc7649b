import { isFlat, overPole, unroll, withoutRepeats } from './antimeridian.ts';
import { isInside } from './outline.ts';
import type { Position } from './point.ts';

/** Rings of an area, closed, the outline first. */
export type Area = Position[][];
/** 0: meridians; 1: parallels. */
type Axis = 0 | 1;
/** A border, and the side of it that is retained: 1 for values above it, -1 for those below. */
type Border = { axis: Axis; value: number; side: 1 | -1 };

/** Most degrees by which rounding takes a hole out of its outline. */
const ROUNDING_DEG = 1e-6;

/**
 * Cuts an area at longitude ±180 (RFC 7946, 3.1.9), and one of half a turn or more into pieces that are narrower. Holes
 * stay: one that a cut goes through becomes part of the outlines beside it.
 */
export function areaPieces(rings: readonly (readonly Position[])[]): Area[] {
  const area = unrolledArea(rings);
  if (area === null) return [];
  const isWide = sizeOf(area, 0) >= 180;
  return cutAt(area, 0, isWide ? 120 : 360, 180).map(backOnGlobe);
}

/** Cuts an area of more than 60 degrees into pieces that are each within a quarter of the earth. */
export function areaTiles(rings: readonly (readonly Position[])[]): Area[] {
  const area = unrolledArea(rings);
  if (area === null) return [];
  const narrow = sizeOf(area, 0) > 60 ? cutAt(area, 0, 60, 0) : [area];
  return (sizeOf(area, 1) > 60 ? narrow.flatMap((piece) => cutAt(piece, 1, 90, 0)) : narrow).map(backOnGlobe);
}

/** The area with longitudes that go on past ±180, its holes within its outline; null where it has no surface. */
function unrolledArea([outer = [], ...holes]: readonly (readonly Position[])[]): Area | null {
  const outline = closedRing(outer);
  if (outline === null) return null;
  const { west, east } = boxOf(outline);
  const holesWithin = holes.flatMap((hole): Position[][] => {
    const ring = closedRing(hole);
    if (ring === null) return [];
    const turned = [0, -360, 360].map((by) => ring.map(([lon, lat]): Position => [lon + by, lat]));
    const found = turned.find((one) => one.some((corner) => isInside(corner, outline))) ?? ring;
    // One that leaves its outline is no hole, and a piece of it may end beyond the globe.
    const own = boxOf(found);
    return own.west < west - ROUNDING_DEG || own.east > east + ROUNDING_DEG ? [] : [found];
  });
  return [outline, ...holesWithin];
}

function closedRing(ring: readonly Position[]): Position[] | null {
  const open = withoutRepeats(ring);
  if (open.length < 3) return null;
  const unrolled = overPole(unroll([...open, open[0]!]));
  return isFlat(unrolled) ? null : closed(unrolled);
}

const closed = (ring: Position[]): Position[] => {
  const open = withoutRepeats(ring);
  return [...open, open[0]!];
};

function sizeOf([outline]: Area, axis: Axis): number {
  const { west, south, east, north } = boxOf(outline!);
  return axis === 0 ? east - west : north - south;
}

/** Pieces of an area between borders at `first` and every `step` from there, to both sides. */
function cutAt(area: Area, axis: Axis, step: number, first: number): Area[] {
  const { west, south, east, north } = boxOf(area[0]!);
  const [least, most] = axis === 0 ? [west, east] : [south, north];
  let rest: Area[] = [area];
  const pieces: Area[] = [];
  for (let value = (Math.floor((least - first) / step) + 1) * step + first; value < most; value += step) {
    pieces.push(...rest.flatMap((one) => half(one, { axis, value, side: -1 })));
    rest = rest.flatMap((one) => half(one, { axis, value, side: 1 }));
  }
  return [...pieces, ...rest];
}

type Chain = { points: Position[]; start: End; end: End };
/** Where a chain meets the border, and the end that it is joined with. */
type End = { at: number; isStart: boolean; partner: End | null; chain: Chain | null };

/**
 * The part of an area on one side of a border. Where rings cross it, their stretches on this side are joined along it,
 * from each crossing to the next one: between the first and the second is area, between the second and the third is none.
 */
function half(area: Area, border: Border): Area[] {
  const [outline, ...holes] = area.map((ring) => stretchesOf(ring, border));
  if (outline === 'all') return [area];
  if (outline!.length === 0) return [];
  const cut = joined([...outline!, ...holes.flatMap((hole) => (hole === 'all' ? [] : hole))]);
  const pieces = cut.map((ring) => ({ rings: [ring], box: boxOf(ring) }));
  area.slice(1).forEach((hole, at) => {
    if (holes[at] !== 'all') return;
    const box = boxOf(hole);
    const around = pieces.find(
      (piece) => areTouching(piece.box, box) && hole.some((corner) => isInside(corner, piece.rings[0]!)),
    );
    around?.rings.push(hole);
  });
  return pieces.map((piece) => piece.rings);
}

type Box = { west: number; south: number; east: number; north: number };

function boxOf(ring: readonly Position[]): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [lon, lat] of ring) {
    [box.west, box.east] = [Math.min(box.west, lon), Math.max(box.east, lon)];
    [box.south, box.north] = [Math.min(box.south, lat), Math.max(box.north, lat)];
  }
  return box;
}

const areTouching = (a: Box, b: Box): boolean =>
  a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;

function stretchesOf(ring: Position[], { axis, value, side }: Border): 'all' | Chain[] {
  const open = ring.slice(0, -1);
  const isIn = open.map((place) => side * (place[axis] - value) >= 0);
  const first = isIn.indexOf(false);
  if (first === -1) return 'all';
  const other = axis === 0 ? 1 : 0;
  const chains: Chain[] = [];
  let chain: Position[] | null = null;
  // From a point outside, all the way round to it.
  for (let at = 1; at <= open.length; at += 1) {
    const [before, next] = [(first + at - 1) % open.length, (first + at) % open.length];
    if (isIn[before] !== isIn[next]) {
      const crossing = crossingOf(open[before]!, open[next]!, { axis, value });
      if (isIn[next]) chain = [crossing];
      else {
        chains.push(chainOf([...chain!, crossing], other));
        chain = null;
      }
    }
    if (isIn[next]) chain!.push(open[next]!);
  }
  return chains;
}

function crossingOf(a: Position, b: Position, { axis, value }: Omit<Border, 'side'>): Position {
  const other = axis === 0 ? 1 : 0;
  const share = (value - a[axis]) / (b[axis] - a[axis]);
  const across = a[other] + share * (b[other] - a[other]);
  return axis === 0 ? [value, across] : [across, value];
}

function chainOf(points: Position[], along: Axis): Chain {
  const endAt = (place: Position, isStart: boolean): End => ({
    ...{ at: place[along], isStart },
    ...{ partner: null, chain: null },
  });
  const chain: Chain = { points, start: endAt(points[0]!, true), end: endAt(points.at(-1)!, false) };
  [chain.start.chain, chain.end.chain] = [chain, chain];
  return chain;
}

/** Joins chains to rings. */
function joined(chains: readonly Chain[]): Position[][] {
  const ends = chains.flatMap(({ start, end }) => [start, end]).sort((a, b) => a.at - b.at);
  for (let at = 0; at + 1 < ends.length; at += 2) {
    [ends[at]!.partner, ends[at + 1]!.partner] = [ends[at + 1]!, ends[at]!];
  }
  const left = new Set(chains);
  const rings: Position[][] = [];
  for (const first of chains) {
    const points: Position[] = [];
    let begin = first.start;
    while (left.delete(begin.chain!)) {
      const { start, end, points: own } = begin.chain!;
      for (const place of begin.isStart ? own : own.toReversed()) points.push(place);
      begin = (begin.isStart ? end : start).partner!;
    }
    const open = withoutSpikes(withoutRepeats(points));
    if (open.length >= 3 && !isFlat(open)) rings.push([...open, open[0]!]);
  }
  return rings;
}

/** Leaves out points in the midst of a border: a ring that only touched it would run along it and back. */
function withoutSpikes(ring: Position[]): Position[] {
  return ring.filter((place, at) => {
    const [before, after] = [ring[(at + ring.length - 1) % ring.length]!, ring[(at + 1) % ring.length]!];
    const isBetween = ([0, 1] as const).some((axis) => place[axis] === before[axis] && place[axis] === after[axis]);
    const other = place[0] === before[0] ? 1 : 0;
    return !(isBetween && (place[other] - before[other]) * (after[other] - place[other]) < 0);
  });
}

/** Longitudes within ±180; a piece does not cross them. */
function backOnGlobe(area: Area): Area {
  const { west, east } = boxOf(area[0]!);
  const by = Math.floor(((west + east) / 2 + 180) / 360) * 360;
  return area.map((ring) => ring.map(([lon, lat]) => [lon - by, lat]));
}
