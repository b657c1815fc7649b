import { describe, expect, it } from 'vitest';
import { areaPieces, areaTiles } from './cut-area.ts';
import { isInside, outlineFault } from './outline.ts';
import type { Position } from './point.ts';
import { ringsAsDrawn } from './wide-area.ts';

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const turned = (ring: Position[]): Position[] => ring.toReversed();
const asDrawn = (...rings: Position[][]) => ringsAsDrawn(rings) as Position[][];

const holds = (pieces: Position[][][], place: Position) =>
  pieces.some(([outline, ...holes]) => isInside(place, outline!) && !holes.some((hole) => isInside(place, hole)));
const widest = (pieces: Position[][][]) =>
  Math.max(...pieces.map(([outline]) => Math.max(...outline!.map(([a]) => Math.max(...outline!.map(([b]) => b - a))))));
const soundOf = (pieces: Position[][][]) => outlineFault({ type: 'MultiPolygon', coordinates: pieces });

it('leaves out a hole that leaves its outline, whose pieces would end beyond the globe', () => {
  const pieces = areaPieces(asDrawn(box(-120, -40, 120, 40), box(100, -4, 540, 4), box(0, 0, 1, 1)));
  expect(pieces.flat(2).every(([lon]) => Math.abs(lon) <= 180)).toBe(true);
  expect([holds(pieces, [110, 0]), holds(pieces, [0.5, 0.5])]).toEqual([true, false]);
});

describe('an area of half a turn and more', () => {
  it.each([
    ['240 degrees', [box(-120, -40, 120, 40)], [0, 0], [180, 0]],
    ['exactly half a turn', [box(-90, -40, 90, 40)], [0, 0], [180, 0]],
    ['the whole earth', [box(-180, -90, 180, 90)], [0, 0], null],
    ['the whole earth, from 0 on', [box(0, -90, 360, 90)], [-90, 0], null],
    ['all but 20 degrees', [box(-170, -40, 170, 40)], [0, 0], [180, 0]],
    ['240 degrees across the antimeridian', [box(60, -40, 300, 40)], [179, 0], [0, 0]],
    [
      'a triangle',
      [
        [
          [-120, 0],
          [120, 0],
          [0, 60],
          [-120, 0],
        ] as Position[],
      ],
      [0, 10],
      [180, 10],
    ],
    ['with a hole', [box(-150, -60, 150, 60), turned(box(-100, -20, 100, 20))], [0, 40], [0, 0]],
  ] as [string, Position[][], Position, Position | null][])(
    'is cut into pieces below it: %s',
    (_, rings, within, beyond) => {
      const pieces = areaPieces(asDrawn(...rings));
      expect(holds(pieces, within)).toBe(true);
      if (beyond) expect(holds(pieces, beyond)).toBe(false);
      expect(widest(pieces)).toBeLessThan(180);
      expect(soundOf(pieces)).toBeNull();
      const lons = pieces.flat(2).map(([lon]) => lon);
      expect([Math.min(...lons) >= -180, Math.max(...lons) <= 180]).toEqual([true, true]);
    },
  );

  it('in tiles lies within a quarter of the earth each', () => {
    const tiles = areaTiles(asDrawn(box(-180, -90, 180, 90)));
    expect(tiles).toHaveLength(12);
    expect(areaTiles(asDrawn(box(10, 20, 30, 50)))).toEqual([[box(10, 20, 30, 50)]]);
  });
});

describe('an edge of more than half a turn', () => {
  it('is one across the antimeridian where the outline then turns against the clock', () => {
    const pacific: Position[] = [
      [120, -40],
      [-120, -40],
      [-120, 40],
      [120, 40],
      [120, -40],
    ];
    expect(holds(areaPieces(asDrawn(pacific)), [179, 0])).toBe(true);
    expect(holds(areaPieces(asDrawn(pacific)), [0, 0])).toBe(false);
    expect(ringsAsDrawn([pacific])).toEqual([pacific]);
  });

  it('is what gives no belt around the earth and no sliver, whichever way the outline turns', () => {
    const across = (...[west, east, south, north]: [number, number, number, number]): Position[] => [
      ...([
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ] as Position[]),
    ];
    for (const turn of [(ring: Position[]) => ring, turned]) {
      expect(holds(areaPieces(asDrawn(turn(across(179.9, -179.9, 54, 54.1)))), [179.95, 54.05])).toBe(true);
      expect(holds(areaPieces(asDrawn(turn(across(179.9, -179.9, 54, 54.1)))), [0, 54.05])).toBe(false);
      expect(holds(areaPieces(asDrawn(turn(box(-179.99, -85, 179.99, 85)))), [0, 0])).toBe(true);
    }
  });

  it('is one across the antimeridian in a ring around a pole', () => {
    const cap = Array.from({ length: 73 }, (_, at): Position => {
      const lon = at === 72 ? -177.5 : at * 5 - 177.5;
      return [lon, 80 - 5 * Math.cos((lon * Math.PI) / 180)];
    });
    expect(ringsAsDrawn([cap])).toEqual([cap]);
    expect(holds(areaPieces(asDrawn(cap)), [10, 89])).toBe(true);
  });
});

describe('an area across the antimeridian', () => {
  const outline: Position[] = [
    [170, -10],
    [-170, -10],
    [-170, 10],
    [170, 10],
    [170, -10],
  ];
  it('keeps holes beside it', () => {
    const pieces = areaPieces(asDrawn(outline, turned(box(175, -5, 178, 5))));
    expect(pieces.map((rings) => rings.length).sort()).toEqual([1, 2]);
    expect([holds(pieces, [176, 0]), holds(pieces, [179, 0]), holds(pieces, [-175, 0])]).toEqual([false, true, true]);
  });

  it.each([
    [
      'as jumps',
      [
        [178, -5],
        [178, 5],
        [-177, 5],
        [-177, -5],
        [178, -5],
      ],
    ],
    [
      'past 180',
      [
        [178, -5],
        [178, 5],
        [183, 5],
        [183, -5],
        [178, -5],
      ],
    ],
  ] as [string, Position[]][])('keeps holes that lie across it: %s', (_, hole) => {
    const pieces = areaPieces(asDrawn(outline, hole));
    const places: Position[] = [
      [179, 0],
      [-178, 0],
      [179, 7],
      [-178, -7],
      [177, 0],
      [-176, 0],
    ];
    expect(places.map((place) => holds(pieces, place))).toEqual([false, false, true, true, true, true]);
    expect(soundOf(pieces)).toBeNull();
  });

  it('that only touches it is not cut', () => {
    expect(areaPieces(asDrawn(box(170, -10, 180, 10)))).toEqual([[box(170, -10, 180, 10)]]);
    const bay: Position[] = [
      [179, 0],
      [181, 0],
      [181, 1],
      [180, 1],
      [180, 2],
      [179, 2],
      [179, 0],
    ];
    const pieces = areaPieces(asDrawn(bay));
    expect([holds(pieces, [-179.5, 0.5]), holds(pieces, [-179.5, 1.5]), holds(pieces, [179.5, 1.5])]).toEqual([
      ...[true, false, true],
    ]);
    expect(soundOf(pieces)).toBeNull();
  });
});

it('cuts combs and their holes as the even-odd rule over all of their rings has it', () => {
  let state = 7;
  const random = () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 60; round += 1) {
    const teeth = 3 + Math.floor(random() * 12);
    const outline: Position[] = [[150, -40]];
    for (let tooth = 0; tooth < teeth; tooth += 1) {
      const south = -40 + (80 * tooth) / teeth;
      outline.push([170 + random() * 25, south + 1], [170 + random() * 25, south + 4], [165, south + 4.5]);
    }
    outline.push([150, 41], [150, -40]);
    const rings = [outline, box(152, -20, 158, 20), box(159, -10, 163, 10)];
    const pieces = areaPieces(asDrawn(...rings));
    for (let at = 0; at < 200; at += 1) {
      const [lon, lat] = [148 + random() * 50, -45 + random() * 90];
      const isWithin = rings.filter((ring) => isInside([lon, lat], ring)).length % 2 === 1;
      expect(holds(pieces, [lon > 180 ? lon - 360 : lon, lat])).toBe(isWithin);
    }
  }
});
