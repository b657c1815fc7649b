import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projector } from './camera.ts';
import type { Corners } from './footprint.ts';
import { destination, distanceM } from './great-circle.ts';
import { homography } from './homography.ts';
import type { Point } from './point.ts';

/** A trapezium as an oblique camera sees it: near side below, turned by `bearing`. */
function trapezium(centre: Point, bearing: number, metres: number): Corners {
  return [
    destination(centre, bearing - 40, metres * 1.6),
    destination(centre, bearing + 40, metres * 1.6),
    destination(centre, bearing + 150, metres),
    destination(centre, bearing - 150, metres),
  ];
}

describe('homography', () => {
  it('puts the corners of the picture on the corners of the ground', () => {
    const corners = trapezium({ lon: 24.26, lat: 37.57 }, 20, 800);

    const map = homography(corners)!;

    const seen = [map.toGround(0, 0), map.toGround(1, 0), map.toGround(1, 1), map.toGround(0, 1)];
    seen.forEach((point, index) => {
      expect(distanceM(point, corners[index]!)).toBeLessThan(1e-6);
    });
  });

  it('finds every pixel again, everywhere on earth, from 10 m to 100 km', () => {
    const cases = fc.record({
      centre: fc.record({
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
      }),
      bearing: fc.double({ min: 0, max: 360, noNaN: true }),
      metres: fc.double({ min: 10, max: 100_000, noNaN: true }),
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ centre, bearing, metres, x, y }) => {
        const map = homography(trapezium(centre, bearing, metres))!;

        const ground = map.toGround(x, y);
        const pixel = map.toImage(ground)!;

        expect(pixel.x).toBeCloseTo(x, 6);
        expect(pixel.y).toBeCloseTo(y, 6);
        expect(distanceM(ground, centre)).toBeLessThan(metres * 1.7);
      }),
    );
  });

  it('is the ground that the camera itself sees, to a hundredth of a pixel at 3 km', () => {
    const attitude = { headingDeg: 75, pitchDeg: 2, rollDeg: -4, azimuthDeg: 60, elevationDeg: -35, sensorRollDeg: 4 };
    const camera = projector(
      { lon: 23.6, lat: 37.9, heightM: 1500 },
      attitude,
      { horizontalDeg: 20, verticalDeg: 11.5 },
      0,
    );
    const [a, b, c, d] = [
      camera.toGround(0, 0)!,
      camera.toGround(1, 0)!,
      camera.toGround(1, 1)!,
      camera.toGround(0, 1)!,
    ];

    const map = homography([a, b, c, d])!;

    for (const [x, y] of [
      [0.5, 0.5],
      [0.2, 0.1],
      [0.9, 0.7],
    ] as const) {
      const pixel = map.toImage(camera.toGround(x, y)!)!;
      expect(Math.hypot((pixel.x - x) * 1280, (pixel.y - y) * 720)).toBeLessThan(0.1);
    }
  });

  it('agrees with where the camera sees a place, and a mast is upright above its foot', () => {
    const attitude = { headingDeg: 75, pitchDeg: 2, rollDeg: -4, azimuthDeg: 60, elevationDeg: -35, sensorRollDeg: 4 };
    const position = { lon: 23.6, lat: 37.9, heightM: 1500 };
    const camera = projector(position, attitude, { horizontalDeg: 20, verticalDeg: 11.5 }, 0);
    const foot = camera.toGround(0.3, 0.6)!;

    const pixel = camera.toImage({ ...foot, heightM: 0 })!;
    const top = camera.toImage({ ...foot, heightM: 30 })!;

    expect(pixel.x).toBeCloseTo(0.3, 6);
    expect(pixel.y).toBeCloseTo(0.6, 6);
    expect(top.y).toBeLessThan(pixel.y);
    expect(camera.toImage({ ...destination(position, 315, 20_000), heightM: 0 })).toBeNull();
  });

  it('sees nothing at the back of the camera or on the other side of the earth', () => {
    const centre = { lon: 10, lat: 50 };
    const map = homography(trapezium(centre, 0, 1000))!;

    expect(map.toImage({ lon: -170, lat: -50 })).toBeNull();
    expect(map.toImage(destination(centre, 180, 20_000))).toBeNull();
  });

  it.each<[string, (corners: Corners) => Corners]>([
    ['one point', ([a]) => [a, a, a, a]],
    ['a line', ([a, b]) => [a, b, a, b]],
    ['crossed corners', ([a, b, c, d]) => [a, b, d, c]],
    [
      'a dent',
      ([a, b, , d]) => [a, b, { lon: (a.lon * 4 + b.lon + d.lon) / 6, lat: (a.lat * 4 + b.lat + d.lat) / 6 }, d],
    ],
    [
      'corners around the whole earth',
      () => [
        { lon: 0, lat: 0 },
        { lon: 90, lat: 0 },
        { lon: 180, lat: 0 },
        { lon: -90, lat: 0 },
      ],
    ],
  ])('is null for %s', (_what, change) => {
    expect(homography(change(trapezium({ lon: 10, lat: 50 }, 0, 1000)))).toBeNull();
  });
});
