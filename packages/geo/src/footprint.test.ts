import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { footprintOf } from './footprint.ts';
import { destination, distanceM } from './great-circle.ts';

/** Straight down from 1000 m over the sea, nose north. */
const nadir = {
  5: 0,
  6: 0,
  7: 0,
  13: 37.9,
  14: 23.6,
  15: 1000,
  16: 40,
  17: 20,
  18: 0,
  19: -90,
  20: 0,
};

const centre = { 23: 37.5, 24: 24.25 };
const offsets = { 26: 0.01, 27: -0.02, 28: 0.01, 29: 0.02, 30: -0.01, 31: 0.015, 32: -0.01, 33: -0.015 };
const full = { 82: 10.1, 83: 20, 84: 10.1, 85: 20.2, 86: 10, 87: 20.2, 88: 10, 89: 20 };

describe('footprintOf', () => {
  it('takes the full corners before offsets and angles', () => {
    expect(footprintOf({ ...nadir, ...centre, ...offsets, ...full })).toEqual({
      source: 'corners',
      centre: { lat: 37.5, lon: 24.25 },
      corners: [
        { lat: 10.1, lon: 20 },
        { lat: 10.1, lon: 20.2 },
        { lat: 10, lon: 20.2 },
        { lat: 10, lon: 20 },
      ],
    });
  });

  it('takes offsets around the frame centre before angles', () => {
    const footprint = footprintOf({ ...nadir, ...centre, ...offsets })!;

    expect(footprint.source).toBe('offsets');
    expect(footprint.corners[0]).toEqual({ lat: 37.51, lon: 24.23 });
    expect(footprint.corners[2]).toEqual({ lat: 37.49, lon: 24.265 });
  });

  it('ignores corners if one is missing or marked as error', () => {
    expect(footprintOf({ ...nadir, ...full, 87: null })?.source).toBe('computed');
    expect(footprintOf({ ...centre, ...offsets, 33: undefined })).toBeNull();
    expect(footprintOf({ ...offsets })).toBeNull();
  });

  it('takes the middle of the picture where corners come without a frame centre', () => {
    const footprint = footprintOf(full)!;

    expect(distanceM(footprint.centre, { lat: 10.05, lon: 20.1 })).toBeLessThan(10);
  });

  it('brings offsets over the antimeridian and over a pole back onto the earth', () => {
    expect(footprintOf({ 23: 0, 24: 179.99, ...offsets })?.corners[1]).toEqual({
      lat: 0.01,
      lon: expect.closeTo(-179.99, 9),
    });
    expect(footprintOf({ 23: 89.995, 24: 10, ...offsets })?.corners[1]).toEqual({
      lat: expect.closeTo(89.995, 9),
      lon: expect.closeTo(-169.98, 9),
    });
  });

  describe('computed from angles', () => {
    it('is as wide and high as the fields of view say, straight below', () => {
      const { corners, source } = footprintOf(nadir)!;
      const [upperLeft, upperRight, lowerRight] = corners;

      expect(source).toBe('computed');
      const wide = 2000 * Math.tan((20 * Math.PI) / 180);
      const high = 2000 * Math.tan((10 * Math.PI) / 180);
      expect(distanceM(upperLeft, upperRight) / wide).toBeCloseTo(1, 2);
      expect(distanceM(upperRight, lowerRight) / high).toBeCloseTo(1, 2);
      expect(upperRight.lon).toBeGreaterThan(upperLeft.lon);
      expect(upperRight.lat).toBeGreaterThan(lowerRight.lat);
    });

    it('looks where heading and azimuth together point, at the depression of the elevation', () => {
      const { centre: seen } = footprintOf({ ...nadir, 5: 350, 18: 100, 19: -45 })!;
      const expected = destination({ lat: 37.9, lon: 23.6 }, 90, 1000);

      expect(distanceM(seen, expected)).toBeLessThan(5);
    });

    it('lets roll and pitch move the view: rolled right a camera looking ahead tilts, one looking down looks left', () => {
      const rolled = footprintOf({ ...nadir, 7: 10 })!;
      const pitched = footprintOf({ ...nadir, 6: 10 })!;
      const lean = 1000 * Math.tan((10 * Math.PI) / 180);

      const below = { lat: 37.9, lon: 23.6 };
      expect(distanceM(rolled.centre, destination(below, 270, lean))).toBeLessThan(2);
      expect(distanceM(pitched.centre, destination(below, 0, lean))).toBeLessThan(2);
    });

    it('prefers pitch and roll of full range, and ground as high as the frame centre', () => {
      const steep = footprintOf({ ...nadir, 6: null, 7: null, 90: 30, 91: 0 })!;
      const onHill = footprintOf({ ...nadir, 25: 500 })!;

      expect(distanceM(steep.centre, { lat: 37.9, lon: 23.6 }) / (1000 * Math.tan(Math.PI / 6))).toBeCloseTo(1, 2);
      expect(distanceM(onHill.corners[0], onHill.corners[1]) / (1000 * Math.tan(Math.PI / 9))).toBeCloseTo(1, 2);
    });

    it('counts a missing sensor roll as none', () => {
      expect(footprintOf({ ...nadir, 20: undefined })).toEqual(footprintOf(nadir));
    });

    it('is null when a corner sees the sky', () => {
      expect(footprintOf({ ...nadir, 19: -5 })).toBeNull();
      expect(footprintOf({ ...nadir, 19: 30 })).toBeNull();
    });

    it.each([5, 6, 7, 13, 14, 15, 16, 17, 18, 19])('is null without tag %i', (tag) => {
      expect(footprintOf({ ...nadir, [tag]: null })).toBeNull();
    });

    it('works over a pole and at the antimeridian', () => {
      const overPole = footprintOf({ ...nadir, 13: 90 })!;
      const atBorder = footprintOf({ ...nadir, 13: 0, 14: 180 })!;

      expect(overPole.corners.every(({ lat }) => lat > 89.99 && lat < 90)).toBe(true);
      expect(atBorder.corners[0].lon).toBeGreaterThan(179.9);
      expect(atBorder.corners[1].lon).toBeLessThan(-179.9);
    });
  });

  it('ends in a footprint on the earth or in null for any tags', () => {
    const anyValue = fc.oneof(fc.double(), fc.constant(null), fc.string(), fc.double({ min: -180, max: 180 }));
    const anyTags = fc.dictionary(fc.integer({ min: 5, max: 91 }).map(String), anyValue, { minKeys: 30, maxKeys: 80 });
    fc.assert(
      fc.property(anyTags, (values) => {
        const footprint = footprintOf(values);

        for (const { lon, lat } of footprint ? [...footprint.corners, footprint.centre] : []) {
          expect(Math.abs(lat)).toBeLessThanOrEqual(90);
          expect(lon >= -180 && lon < 180).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
