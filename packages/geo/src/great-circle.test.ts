import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearingDeg, destination, distanceM, MEAN_RADIUS_M } from './great-circle.ts';

const points = fc.record({
  lon: fc.double({ min: -180, max: 179.999, noNaN: true }),
  lat: fc.double({ min: -89.9, max: 89.9, noNaN: true }),
});

describe('great circles', () => {
  it('agrees with the published distance of Nashville and Los Angeles airports', () => {
    const nashville = { lat: 36.12, lon: -86.67 };
    const losAngeles = { lat: 33.94, lon: -118.4 };

    // 2887.26 km are given for a radius of 6372.8 km.
    expect(distanceM(nashville, losAngeles)).toBeCloseTo((2887259.95 * MEAN_RADIUS_M) / 6372800, -1);
  });

  it('agrees with the published geodesic of Wellington and Salamanca within the error of a sphere', () => {
    // 19959679.267 m on the ellipsoid: nearly antipodal.
    const metres = distanceM({ lat: -41.32, lon: 174.81 }, { lat: 40.96, lon: -5.5 });

    expect(Math.abs(metres / 19959679.267 - 1)).toBeLessThan(0.0056);
  });

  it('is a degree of the mean sphere along equator and meridian, also over the antimeridian', () => {
    const degree = (MEAN_RADIUS_M * Math.PI) / 180;

    expect(distanceM({ lon: 179.5, lat: 0 }, { lon: -179.5, lat: 0 })).toBeCloseTo(degree, 5);
    expect(distanceM({ lon: 10, lat: 89.5 }, { lon: -170, lat: 89.5 })).toBeCloseTo(degree, 5);
  });

  it('reaches by bearing and distance what bearing and distance say', () => {
    const distances = fc.double({ min: 1, max: 19_000_000, noNaN: true });
    fc.assert(
      fc.property(points, fc.double({ min: 0, max: 359.99, noNaN: true }), distances, (from, bearing, metres) => {
        const to = destination(from, bearing, metres);

        expect(distanceM(from, to)).toBeCloseTo(metres, 1);
        expect(distanceM(destination(from, bearingDeg(from, to), metres), to)).toBeLessThan(0.5);
        expect(Math.abs(to.lat)).toBeLessThanOrEqual(90);
        expect(to.lon >= -180 && to.lon < 180).toBe(true);
      }),
    );
  });

  it('gives the way of a spheric right triangle', () => {
    expect(bearingDeg({ lon: 0, lat: 0 }, { lon: 90, lat: 0 })).toBeCloseTo(90, 9);
    expect(bearingDeg({ lon: 5, lat: 10 }, { lon: 5, lat: -10 })).toBeCloseTo(180, 9);
    expect(bearingDeg({ lon: 179, lat: 0 }, { lon: -179, lat: 0 })).toBeCloseTo(90, 9);
  });
});
