import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromEcef, meetGround, toEcef } from './ellipsoid.ts';

describe('earth-fixed coordinates', () => {
  it('puts the equator, the pole and 45 degrees where WGS 84 has them', () => {
    const [x, , z] = toEcef({ lon: 0, lat: 45, heightM: 0 });

    expect(toEcef({ lon: 90, lat: 0, heightM: 0 })[1]).toBeCloseTo(6378137, 6);
    expect(toEcef({ lon: 0, lat: 90, heightM: 0 })[2]).toBeCloseTo(6356752.3142, 3);
    expect(x).toBeCloseTo(4517590.8788, 3);
    expect(z).toBeCloseTo(4487348.4088, 3);
  });

  it('comes back to the place it left', () => {
    const places = fc.record({
      lon: fc.double({ min: -180, max: 179.9999, noNaN: true }),
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      heightM: fc.double({ min: -900, max: 100_000, noNaN: true }),
    });
    fc.assert(
      fc.property(places, (place) => {
        const back = fromEcef(toEcef(place));

        expect(back.lat).toBeCloseTo(place.lat, 9);
        expect(back.heightM).toBeCloseTo(place.heightM, 3);
        // A pole has every longitude.
        if (Math.abs(place.lat) < 89.999)
          expect(Math.abs(Math.sin(((back.lon - place.lon) * Math.PI) / 180))).toBeLessThan(1e-9);
      }),
    );
  });
});

describe('meetGround', () => {
  const from = toEcef({ lon: 0, lat: 0, heightM: 1000 });

  it('meets the ground straight below', () => {
    expect(meetGround(from, [-1, 0, 0], 0)).toEqual({ lon: expect.closeTo(0, 9), lat: expect.closeTo(0, 9) });
  });

  it.each([
    ['upwards', [1, 0, 0]],
    ['level', [0, 1, 0]],
    ['no direction', [0, 0, 0]],
    ['not a number', [Number.NaN, 0, 0]],
  ] as const)('is null for a ray %s', (_what, [x, y, z]) => {
    expect(meetGround(from, [x, y, z], 0)).toBeNull();
  });

  it('is null from below the ground', () => {
    expect(meetGround(from, [-1, 0, 0], 2000)).toBeNull();
  });
});
