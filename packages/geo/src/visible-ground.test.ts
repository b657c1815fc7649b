import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOf } from './coverage-meets.ts';
import { toEcef } from './ellipsoid.ts';
import { footprintOf } from './footprint.ts';
import { bearingDeg, distanceM } from './great-circle.ts';
import { type Point, toPosition } from './point.ts';
import { fourCornered, VISIBLE_RANGE_M, visibleGroundOf } from './visible-ground.ts';

/** Over the German Bight at 300 m, level, nose north, 60 by 36 degrees, a little down: the upper half is sky. */
const oblique = { 5: 0, 6: 0, 7: 0, 13: 54.5, 14: 7.5, 15: 300, 16: 60, 17: 36, 18: 0, 19: -5, 20: 0 };
const below = { lon: 7.5, lat: 54.5 };

/** Straight through the earth: 1 cm less than along the ground at 20 km. */
function rangeM(point: Point, from: Point = below): number {
  const [a, b] = [toEcef({ ...from, heightM: 0 }), toEcef({ ...point, heightM: 0 })];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function expectOutline(values: Record<number, unknown>, expected: readonly [lat: number, lon: number][]) {
  const { outline } = visibleGroundOf(values)!;
  expect(outline).toHaveLength(expected.length);
  for (const [at, [lat, lon]] of expected.entries()) expect(rangeM(outline[at]!, { lat, lon })).toBeLessThan(1);
}

describe('seenGroundOf', () => {
  it('is the footprint where the whole picture shows ground, however far that is', () => {
    for (const values of [
      { ...oblique, 19: -90 },
      { ...oblique, 15: 9000, 16: 1, 17: 1, 19: -10 },
    ]) {
      const { corners, centre } = footprintOf(values)!;
      expect(visibleGroundOf(values)).toEqual({ outline: corners, limits: [], centre });
    }
    const stated = { 82: 10.1, 83: 20, 84: 10.1, 85: 20.2, 86: 10, 87: 20.2, 88: 10, 89: 20 };
    expect(visibleGroundOf({ ...oblique, ...stated })?.outline).toEqual(footprintOf(stated)!.corners);
  });

  // Places by Vincenty's formulae on WGS 84: where points at 20 km, or on the ground, project onto corners and sides.
  it('moves the upper corners down their sides to 20 km', () => {
    expectOutline(oblique, [
      [54.6555825686, 7.3453088459],
      [54.6555825686, 7.6546911541],
      [54.5063501358, 7.5065094194],
      [54.5063501358, 7.4934905806],
    ]);
    const { limits, centre } = visibleGroundOf(oblique)!;
    expect(limits).toEqual([0]);
    // 300 m / tan 5 degrees, and some metres for the curved earth.
    expect(rangeM(centre!)).toBeCloseTo(3438, -1);
    expect(visibleGroundOf({ ...oblique, 19: 5 })!.centre).toBeNull();
    expect(visibleGroundOf({ ...oblique, 19: 5, 23: 54.6, 24: 7.5 })!.centre).toEqual({ lat: 54.6, lon: 7.5 });
    expect(footprintOf(oblique)).toBeNull();
  });

  it('moves them by different amounts in a rolled picture', () => {
    expectOutline({ ...oblique, 20: 20 }, [
      [54.6547539753, 7.3428667141],
      [54.6513727478, 7.666600951],
      [54.5043651956, 7.5033977426],
      [54.513676965, 7.4844276877],
    ]);
    // The same turn by the platform.
    expectOutline({ ...oblique, 6: -5, 7: 20, 19: 0 }, [
      [54.6547539753, 7.3428667141],
      [54.6513727478, 7.666600951],
      [54.5043651956, 7.5033977426],
      [54.513676965, 7.4844276877],
    ]);
  });

  it('cuts off a single corner, with one more point on the limit', () => {
    const { outline, limits } = visibleGroundOf({ ...oblique, 20: 30 })!;
    const [left, between, top, upperRight, lowerRight, lowerLeft] = outline as [
      Point,
      Point,
      Point,
      Point,
      Point,
      Point,
    ];

    expect(outline).toHaveLength(6);
    expect(rangeM(top, { lat: 54.6586757491, lon: 7.6450873818 })).toBeLessThan(1);
    expect(rangeM(upperRight, { lat: 54.528521864, lon: 7.5326362963 })).toBeLessThan(1);
    expect(rangeM(lowerRight, { lat: 54.5038944156, lon: 7.5023864179 })).toBeLessThan(1);
    expect(rangeM(lowerLeft, { lat: 54.5337978487, lon: 7.4613698214 })).toBeLessThan(1);
    expect(rangeM(left, { lat: 54.652166271, lon: 7.3355533634 })).toBeLessThan(1);
    expect(rangeM(between)).toBeCloseTo(VISIBLE_RANGE_M, 0);
    expect(limits).toEqual([0, 1]);
    const bearing = bearingDeg(below, between);
    expect(bearing > 328 || bearing < 28).toBe(true);
  });

  it('keeps a single corner', () => {
    const { outline, limits } = visibleGroundOf({ ...oblique, 16: 30, 17: 30, 19: 12, 20: 45 })!;

    // The lower right one, which is the lowest of the picture.
    expect(outline).toHaveLength(4);
    expect(outline.map((point) => rangeM(point) < VISIBLE_RANGE_M - 1)).toEqual([false, false, true, false]);
    expect(limits).toEqual([0, 3]);
  });

  it('keeps what is near between the corners', () => {
    // From 12 km the upper corners are sky and the lower ones 41 km away; the middle of the lower side is 4.4 km away.
    const { outline, limits } = visibleGroundOf({ ...oblique, 15: 12_000, 16: 150, 17: 60, 19: -40 })!;

    expect(outline).toHaveLength(4);
    for (const point of outline) expect(rangeM(point)).toBeCloseTo(VISIBLE_RANGE_M, 0);
    expect(limits).toHaveLength(3);
  });

  it('ends at the horizon where that is nearer', () => {
    // From 2 m the horizon is 5.05 km away.
    const { outline } = visibleGroundOf({ ...oblique, 15: 2 })!;

    expect(rangeM(outline[0]!)).toBeGreaterThan(5040);
    expect(rangeM(outline[0]!)).toBeLessThan(5060);
  });

  it('is null for the sky, for ground beyond the limit, from below the ground and without an angle', () => {
    expect(visibleGroundOf({ ...oblique, 19: 30 })).toBeNull();
    expect(visibleGroundOf({ ...oblique, 15: 9000, 16: 5, 17: 5, 19: -3 })).toBeNull();
    expect(visibleGroundOf({ ...oblique, 25: 400 })).toBeNull();
    expect(visibleGroundOf({ ...oblique, 19: undefined })).toBeNull();
  });

  it('counts over high ground from that ground', () => {
    const { outline } = visibleGroundOf({ ...oblique, 15: 1300, 25: 1000 })!;
    const raised = [outline[0]!, below].map((point) => toEcef({ ...point, heightM: 1000 }));

    expect(Math.hypot(...raised[0]!.map((value, at) => value - raised[1]![at]!))).toBeCloseTo(VISIBLE_RANGE_M, 1);
  });

  it('crosses the antimeridian and a pole', () => {
    const atBorder = visibleGroundOf({ ...oblique, 13: 0, 14: 180, 5: 90 })!.outline;
    const overPole = visibleGroundOf({ ...oblique, 13: 89.95 })!.outline;

    expect(atBorder.every(({ lon }) => lon < -179.8 && lon > -180)).toBe(true);
    // 5.6 km from the pole, looking over it.
    expect(overPole.slice(0, 2).every(({ lon }) => Math.abs(lon) > 90)).toBe(true);
    expect(overPole.slice(2).every(({ lon }) => Math.abs(lon - 7.5) < 10)).toBe(true);
  });

  it('gives outlines without a hollow within the limit and in the picture, for any camera', () => {
    const angle = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
    const camera = fc.record({
      5: angle(0, 360),
      7: angle(-60, 60),
      13: angle(-80, 80),
      15: angle(1, 12_000),
      16: angle(2, 150),
      17: angle(2, 120),
      19: angle(-60, 40),
      20: angle(-180, 180),
    });
    let cuts = 0;
    fc.assert(
      fc.property(camera, (angles) => {
        const values = { ...oblique, ...angles };
        const seen = visibleGroundOf(values);
        if (seen === null || seen.limits.length === 0) return;
        cuts += 1;
        const { outline, limits } = seen;
        expect(footprintOf(values)).toBeNull();
        expect([4, 6, 8]).toContain(outline.length);
        for (const point of outline) {
          expect(rangeM(point, { lat: values[13], lon: values[14] })).toBeLessThan(VISIBLE_RANGE_M + 1);
        }
        for (const at of limits) expect(at).toBeLessThan(outline.length);
        for (const part of fourCornered(outline)) shapeOf(part.map(toPosition));
      }),
      { numRuns: 3000 },
    );
    expect(cuts).toBeGreaterThan(300);
  });
});

describe('fourCornered', () => {
  it('leaves four corners as they are, and divides more', () => {
    const points = Array.from({ length: 6 }, (_, at) => ({ lon: at, lat: at * at }));
    const [a, b, c, d, e, f] = points;

    expect(fourCornered(points.slice(0, 4))).toEqual([[a, b, c, d]]);
    expect(fourCornered(points)).toEqual([
      [a, b, c, d],
      [a, d, e, f],
    ]);
  });

  it('loses no ground', () => {
    const { outline } = visibleGroundOf({ ...oblique, 20: 30 })!;
    const areaOf = (ring: readonly Point[]): number =>
      Math.abs(
        ring.reduce((sum, point, at) => {
          const next = ring[(at + 1) % ring.length]!;
          return sum + (point.lon - 7.5) * (next.lat - 54.5) - (next.lon - 7.5) * (point.lat - 54.5);
        }, 0),
      );

    const parts = fourCornered(outline);
    expect(parts).toHaveLength(2);
    expect(parts.reduce((sum, part) => sum + areaOf(part), 0)).toBeCloseTo(areaOf(outline), 9);
    expect(distanceM(parts[0]![0], parts[1]![0])).toBe(0);
  });
});
