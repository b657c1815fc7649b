import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitAtAntimeridian, splitLineAtAntimeridian } from './antimeridian.ts';
import { polygonAreaSqKm } from './area.ts';
import { destination } from './great-circle.ts';
import { type Position, ringOf } from './point.ts';

describe('splitAtAntimeridian', () => {
  it('leaves a ring alone that does not cross', () => {
    const ring: Position[] = [
      [10, 0],
      [20, 0],
      [20, 10],
      [10, 10],
      [10, 0],
    ];

    expect(splitAtAntimeridian(ring)).toEqual([ring]);
  });

  it('parts a ring in two that meet at 180 degrees', () => {
    const parts = splitAtAntimeridian([
      [179, 0],
      [-179, 0],
      [-179, 2],
      [179, 2],
      [179, 0],
    ]);

    expect(parts).toHaveLength(2);
    expect(parts.flat().map(([lon]) => lon)).toEqual(expect.arrayContaining([179, 180, -180, -179]));
    expect(parts.every((part) => part[0]![0] === part.at(-1)![0] && part[0]![1] === part.at(-1)![1])).toBe(true);
  });

  it('parts a coast of a million points', () => {
    const count = 1_000_000;
    const ring = Array.from({ length: count }, (_, index): Position => {
      const angle = (2 * Math.PI * index) / count;
      return [180 + 20 * Math.cos(angle), 20 * Math.sin(angle)];
    });

    const parts = splitAtAntimeridian(ring);

    expect(parts).toHaveLength(2);
    expect(parts.flat().every(([lon]) => Math.abs(lon) >= 160 && Math.abs(lon) <= 180)).toBe(true);
  });

  it('carries a ring around a pole along the antimeridian to it', () => {
    const south = splitAtAntimeridian([
      [0, -80],
      [90, -80],
      [180, -80],
      [-90, -80],
      [0, -80],
    ]);
    const lats = south.flat().map(([, lat]) => lat);

    expect(Math.min(...lats)).toBe(-90);
    expect(Math.max(...lats)).toBe(-80);
  });

  it('keeps the area, and every longitude within 180, for a ring anywhere', () => {
    const places = fc.record({
      lon: fc.double({ min: 170, max: 190, noNaN: true }),
      lat: fc.double({ min: -70, max: 70, noNaN: true }),
      metres: fc.double({ min: 100, max: 50_000, noNaN: true }),
    });
    fc.assert(
      fc.property(places, ({ lon, lat, metres }) => {
        const ring = ringOf([30, 130, 200, 290].map((bearing) => destination({ lon, lat }, bearing, metres)));

        const parts = splitAtAntimeridian(ring);

        const sum = parts.reduce((total, part) => total + polygonAreaSqKm(part), 0);
        expect(sum / polygonAreaSqKm(ring)).toBeCloseTo(1, 2);
        expect(parts.flat().every(([east]) => Math.abs(east) <= 180)).toBe(true);
      }),
    );
  });

  it('drops what has no area', () => {
    expect(splitAtAntimeridian([])).toEqual([]);
    expect(
      splitAtAntimeridian([
        [1, 1],
        [2, 2],
        [1, 1],
      ]),
    ).toEqual([]);
    expect(
      splitAtAntimeridian([
        [1, 1],
        [2, 2],
        [3, 3],
        [1, 1],
      ]),
    ).toEqual([]);
  });
});

describe('splitLineAtAntimeridian', () => {
  it('ends and begins the parts on the antimeridian, in both directions', () => {
    expect(
      splitLineAtAntimeridian([
        [179, 0],
        [-179, 2],
        [178, 4],
      ]),
    ).toEqual([
      [
        [179, 0],
        [180, 1],
      ],
      [
        [-180, 1],
        [-179, 2],
        [-180, 2 + 2 / 3],
      ],
      [
        [180, 2 + 2 / 3],
        [178, 4],
      ],
    ]);
  });

  it('leaves a line alone that does not cross, and nothing of a point', () => {
    expect(
      splitLineAtAntimeridian([
        [1, 1],
        [2, 2],
      ]),
    ).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
    ]);
    expect(splitLineAtAntimeridian([[1, 1]])).toEqual([]);
    expect(splitLineAtAntimeridian([])).toEqual([]);
  });
});
