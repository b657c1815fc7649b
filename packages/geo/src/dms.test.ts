import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDms, formatLat, formatLon } from './dms.ts';

/** Degrees back from the text. */
function parse(text: string): number {
  const [, degrees, minutes, seconds, side] = /^(\d+)°(\d\d)'(\d\d\.\d\d)"([NSEW])$/.exec(text)!;
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return side === 'S' || side === 'W' ? -size : size;
}

describe('coordinates as degrees, minutes and seconds', () => {
  it('writes a point with two decimals, latitude first', () => {
    expect(formatDms({ lat: 37.575716667, lon: 24.262250001 })).toBe(`37°34'32.58"N 24°15'44.10"E`);
  });

  it.each([
    [59.995 / 3600, `0°01'00.00"N`],
    [59.9949 / 3600, `0°00'59.99"N`],
    [-(59 / 60 + 59.995 / 3600), `1°00'00.00"S`],
    [89.9999999, `90°00'00.00"N`],
    [-0.0000001, `0°00'00.00"S`],
  ])('carries %f degrees into the next minute and degree as %s', (lat, text) => {
    expect(formatLat(lat)).toBe(text);
  });

  it.each([
    [180, `180°00'00.00"E`],
    [-180, `180°00'00.00"W`],
    [181.5, `178°30'00.00"W`],
    [-0.5, `0°30'00.00"W`],
  ])('writes longitude %f as %s', (lon, text) => {
    expect(formatLon(lon)).toBe(text);
  });

  it('is never further from the value than half of the last decimal, and never shows 60', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (lat) => {
        const text = formatLat(lat);

        expect(Math.abs(parse(text) - lat) * 3600).toBeLessThanOrEqual(0.005 + 1e-7);
        expect(text).not.toMatch(/'60|°60/);
      }),
    );
  });
});
