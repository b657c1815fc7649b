import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { polygonAreaSqKm } from './area.ts';
import type { Position } from './point.ts';

/** The coast of Antarctica in 18 points, as in GeographicLib's documentation of polygon areas. */
const antarctica: Position[] = [
  [-58, -63.1],
  [-74, -72.9],
  [-102, -71.9],
  [-102, -74.9],
  [-131, -74.3],
  [-163, -77.5],
  [163, -77.4],
  [172, -71.7],
  [140, -65.9],
  [113, -65.7],
  [88, -66.6],
  [59, -66.9],
  [25, -69.8],
  [-4, -70.0],
  [-14, -71.0],
  [-33, -77.3],
  [-46, -77.9],
  [-61, -74.7],
];

describe('polygonAreaSqKm', () => {
  it.each<[string, Position[], number]>([
    [
      'an octant',
      [
        [0, 0],
        [90, 0],
        [0, 90],
      ],
      510065621.724 / 8,
    ],
    [
      'one degree at the equator',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      12308.778361469,
    ],
    [
      'a diamond around 0, 0',
      [
        [-1, 0],
        [0, -1],
        [1, 0],
        [0, 1],
      ],
      24619.419146,
    ],
    [
      'a square around the north pole',
      [
        [0, 89],
        [90, 89],
        [180, 89],
        [-90, 89],
      ],
      24952.305678,
    ],
    [
      'a square around the south pole',
      [
        [0, -89],
        [90, -89],
        [180, -89],
        [-90, -89],
      ],
      24952.305678,
    ],
    ['Antarctica', antarctica, 13662703.6800201],
  ])('gives the published area of %s', (_what, ring, squareKm) => {
    expect(Math.abs(polygonAreaSqKm(ring) / squareKm - 1)).toBeLessThan(2e-4);
  });

  it('does not care where the ring starts, which way it turns, whether it is closed, nor for its longitude', () => {
    const shapes = fc.record({
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      wide: fc.double({ min: 0.001, max: 5, noNaN: true }),
      high: fc.double({ min: 0.001, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(shapes, ({ lon, lat, wide, high }) => {
        const ring = (at: number): Position[] => [
          [at, lat],
          [at + wide, lat],
          [at + wide / 2, lat + high],
        ];
        const plain = polygonAreaSqKm(ring(0));

        const turned = ring(lon).reverse();
        expect(polygonAreaSqKm(turned) / plain).toBeCloseTo(1, 6);
        expect(polygonAreaSqKm([...turned, turned[0]!]) / plain).toBeCloseTo(1, 6);
        expect(polygonAreaSqKm([turned[2]!, turned[0]!, turned[1]!]) / plain).toBeCloseTo(1, 6);
      }),
    );
  });

  it('is the sum of its parts', () => {
    const whole = polygonAreaSqKm([
      [179, 60],
      [-179, 60],
      [-179, 61],
      [179, 61],
    ]);
    const west = polygonAreaSqKm([
      [179, 60],
      [180, 60],
      [180, 61],
      [179, 61],
    ]);
    const east = polygonAreaSqKm([
      [-180, 60],
      [-179, 60],
      [-179, 61],
      [-180, 61],
    ]);

    // The great circle over both cells bends further north than those over each.
    expect((west + east) / whole).toBeCloseTo(1, 3);
  });

  it('is nothing for a point, a line and no ring at all', () => {
    expect(polygonAreaSqKm([])).toBe(0);
    expect(polygonAreaSqKm([[5, 5]])).toBe(0);
    expect(
      polygonAreaSqKm([
        [5, 5],
        [6, 7],
      ]),
    ).toBeCloseTo(0, 6);
  });
});
