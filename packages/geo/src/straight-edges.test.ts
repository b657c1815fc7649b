import { describe, expect, it } from 'vitest';
import { directionOf } from './coverage-box.ts';
import { shapeOf } from './coverage-meets.ts';
import { corridorParts, straightParts, targetOf } from './coverage-target.ts';
import { destination, MEAN_RADIUS_M } from './great-circle.ts';
import { type Position, shortestTurn, toPosition } from './point.ts';
import { alongStraightEdges, drawnEdges } from './straight-edges.ts';
import { cross, dot, unit } from './vector.ts';

/** Mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Metres from the straight edge between two points, by 40 places of it, to the great circle. */
function offM([a, b]: [Position, Position]): number {
  const normal = cross(directionOf(a), directionOf(b));
  if (Math.hypot(...normal) === 0) return 0;
  const pole = unit(normal);
  const offs = Array.from({ length: 40 }, (_, at) => {
    const share = at / 40;
    const lon = a[0] + shortestTurn(b[0] - a[0]) * share;
    return Math.asin(dot(pole, directionOf([lon, a[1] + (b[1] - a[1]) * share])));
  });
  return Math.max(...offs.map(Math.abs)) * MEAN_RADIUS_M;
}

const cut = (positions: Position[], isClosed = false) => alongStraightEdges([{ positions, isClosed }])[0]!;

describe('points along straight edges', () => {
  it('leave no great circle more than 10 m off, at any length, slope and latitude', () => {
    const random = numbers(4);
    for (let round = 0; round < 400; round += 1) {
      const lat = () => Math.max(-90, Math.min(90, (random() - 0.5) * 200));
      const [from, wide] = [random() * 360 - 180, 10 ** (random() * 4 - 1.75) % 179];
      const line: Position[] = [
        [from, lat()],
        [from + wide > 180 ? from + wide - 360 : from + wide, random() < 0.3 ? 60 : lat()],
      ];
      const points = cut(line);
      for (let at = 1; at < points.length; at += 1)
        expect(offM([points[at - 1]!, points[at]!]), JSON.stringify(line)).toBeLessThan(10);
      expect([points[0], points.at(-1)]).toEqual(line);
    }
  });

  it('are few: none on a meridian, on the equator and on edges of some kilometres', () => {
    expect(
      cut([
        [7, -80],
        [7, 80],
      ]),
    ).toHaveLength(2);
    expect(
      cut([
        [0, 0],
        [50, 0],
      ]),
    ).toHaveLength(2);
    expect(
      cut([
        [7, 50],
        [7.2, 50],
      ]),
    ).toHaveLength(2);
    // 20 degrees at 45° north are 47 km off their great circle; each of so many pieces 8 m.
    const parallel = cut([
      [0, 45],
      [20, 45],
    ]);
    expect(
      offM([
        [0, 45],
        [20, 45],
      ]),
    ).toBeGreaterThan(47_000);
    expect([parallel.length > 60, parallel.length < 100]).toEqual([true, true]);
  });

  it('are at most 100,000 more than a shape has, and go the shorter way across the antimeridian', () => {
    const zigzag = Array.from({ length: 20_000 }, (_, at): Position => [at % 2 === 0 ? 0 : 59, 40 + at / 1000]);
    expect(cut(zigzag).length).toBeLessThanOrEqual(120_000);
    const across = cut([
      [170, 50],
      [-170, 50],
    ]);
    expect(across.every(([lon, lat]) => Math.abs(lon) >= 170 && Math.abs(lat - 50) < 1e-9)).toBe(true);
  });
});

describe('edges on a Mercator map', () => {
  const northing = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));
  const latAt = (y: number) => (Math.atan(Math.sinh(y)) * 180) / Math.PI;

  /** Metres from the drawn line, straight on the map between its points, to the edge: the most of 20 places of each piece. */
  function offDrawnM([a, b]: [Position, Position], drawn: readonly number[][]): number {
    let most = 0;
    for (let at = 1; at < drawn.length; at += 1) {
      const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [drawn[at - 1]!, drawn[at]!];
      for (let share = 0; share < 1; share += 0.05) {
        const lat = latAt(northing(y0) + (northing(y1) - northing(y0)) * share);
        const due = a[1] + ((x0 + (x1 - x0) * share - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
        const [east, north] = [(b[0] - a[0]) * Math.cos((due * Math.PI) / 180), b[1] - a[1]];
        most = Math.max(most, (Math.abs(lat - due) * 111_195 * Math.abs(east)) / Math.hypot(east, north));
      }
    }
    return most;
  }

  it('are drawn within 10 m of where they are straight in degrees', () => {
    const random = numbers(8);
    for (let round = 0; round < 300; round += 1) {
      const lat = () => (random() - 0.5) * 160;
      const west = random() * 360 - 180;
      const edge: [Position, Position] = [
        [west, lat()],
        [west + (10 ** (random() * 4 - 1.75) % 179), lat()],
      ];
      const [drawn] = drawnEdges([edge]);
      expect(offDrawnM(edge, drawn!), JSON.stringify(edge)).toBeLessThan(10);
      expect([drawn![0], drawn!.at(-1)]).toEqual(edge);
    }
    // Drawn straight, this one would be some 500 km off.
    const diagonal: [Position, Position] = [
      [0, 0],
      [60, 60],
    ];
    expect(offDrawnM(diagonal, diagonal)).toBeGreaterThan(200_000);
  });

  it('have points for slanted edges alone, go on past 180 degrees, and keep what is given', () => {
    const box = [
      [0, 40, 7],
      [100, 40, 8],
      [100, 60, 9],
      [0, 60, 10],
      [0, 40, 7],
    ];
    expect(drawnEdges([box, [], [[5, 5]]])).toEqual([box, [], [[5, 5]]]);
    const [across] = drawnEdges([
      [
        [170, 0],
        [200, 50],
      ],
    ]);
    const lons = across!.map(([lon = 0]) => lon);
    expect(lons.length).toBeGreaterThan(50);
    expect(lons).toEqual([...lons].sort((a, b) => a - b));
    const wide = [
      [-120, 0],
      [120, 50],
    ];
    expect(drawnEdges([wide])[0]!.length).toBeGreaterThan(50);
  });

  it('are cut at most 20,000 times in one shape', () => {
    const zigzag = Array.from({ length: 2000 }, (_, at) => [at % 2 === 0 ? 0 : 59, at % 2 === 0 ? 40 : 60 + at / 1000]);
    expect(drawnEdges([zigzag])[0]!.length).toBeLessThanOrEqual(22_000);
  });
});

const square = ([lon, lat]: Position, metres: number) =>
  shapeOf([45, 135, 225, 315].map((bearing) => toPosition(destination({ lon, lat }, bearing, metres))));
const box = ([west, south, east, north]: [number, number, number, number]): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const areaOf = (...rings: Position[][]) => targetOf(straightParts([{ kind: 'area', rings }]));

describe('a shape whose edges are straight in longitude and latitude', () => {
  it('is met up to its parallels, and not up to its great circles', () => {
    const target = areaOf(box([0, 40, 20, 50]));
    const isMet = (lat: number) => target.intersects(square([10, lat], 5));
    // Great circles between the corners would come 30 to 45 km farther north.
    expect([isMet(49.9998), isMet(50.0002), isMet(39.9998), isMet(40.0002)]).toEqual([true, false, false, true]);
  });

  it('may be as wide as the earth, and hold a part of it', () => {
    const world = areaOf(box([-180, -90, 180, 90]));
    const places: Position[] = [
      [0, 0],
      [179.99, -40],
      [-60, 60],
      [33, 90],
      [10, -89.9],
      [60.0001, 0.0001],
    ];
    for (const place of places) expect(world.intersects(square(place, 200)), String(place)).toBe(true);
    const africa = areaOf(box([-120, -40, 120, 40]));
    const isMet = (...place: Position) => africa.intersects(square(place, 200));
    expect([isMet(0, 0), isMet(-119.9, 39.9), isMet(60, 10), isMet(0, 40.1)]).toEqual([true, true, true, false]);
    expect([isMet(180, 0), isMet(150, 10), isMet(-121, 0)]).toEqual([false, false, false]);
    const ringOfSea = areaOf(box([-180, -60, 180, 60]), box([-100, -20, 100, 20]));
    const inSea = (...place: Position) => ringOfSea.intersects(square(place, 200));
    expect([inSea(0, 0), inSea(-99, 19), inSea(0, 21), inSea(170, 0), inSea(0, 61)]).toEqual([
      ...[false, false, true, true, false],
    ]);
  });

  it('counts its share by points all over the earth where it is larger than half of it', () => {
    const world = areaOf(box([-180, -90, 180, 90]));
    // A cap of this radius has a tenth of the sphere.
    const cap = shapeOf(
      Array.from({ length: 90 }, (_, at) =>
        toPosition(destination({ lon: 30, lat: 20 }, at * 4, Math.acos(0.8) * MEAN_RADIUS_M)),
      ),
    );
    expect(Math.abs(world.shareIn(cap) - 0.1)).toBeLessThan(0.01);
    expect(world.shareIn(square([30, 20], 1000))).toBeLessThan(0.001);
  });

  it('may be around a pole, but not around the equator', () => {
    const cap = (lat: number): Position[] => [0, 90, 180, -90, 0].map((lon) => [lon, lat]);
    const arctic = areaOf(cap(66));
    expect([arctic.intersects(square([45, 66.001], 50)), arctic.intersects(square([45, 65.998], 50))]).toEqual([
      ...[true, false],
    ]);
    expect(() => areaOf(cap(0))).toThrow(RangeError);
  });

  it('is the line around an area without surface', () => {
    const flat = areaOf(box([10, 50, 12, 50]));
    expect([flat.intersects(square([11, 50], 50)), flat.intersects(square([11, 50.1], 50))]).toEqual([true, false]);
  });

  it('is a corridor along a parallel, of legs up to half a turn', () => {
    const corridor = targetOf(
      corridorParts(
        [
          [-80, 50],
          [-20, 50],
          [60, 0],
          [150, 0],
        ],
        20_000,
      ),
    );
    const isMet = (lon: number, lat: number) => corridor.intersects(square([lon, lat], 20));
    // A degree of latitude is 111 km.
    expect([isMet(-50, 50.089), isMet(-50, 49.911), isMet(-50, 50.091), isMet(-50, 49.909)]).toEqual([
      ...[true, true, false, false],
    ]);
    expect([isMet(20, 25), isMet(105, 0.089), isMet(105, 0.091)]).toEqual([true, true, false]);
  });
});
