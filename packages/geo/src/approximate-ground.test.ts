import { describe, expect, it } from 'vitest';
import { approximateGroundOf } from './approximate-ground.ts';
import { packSightings, rounded, type Sighting, unpackSightings } from './coverage-chunk.ts';
import { distanceM } from './great-circle.ts';

const centre = { 23: 46.01, 24: 9 };
const attitude = { 5: 0, 6: 0, 7: 0, 13: 46, 14: 9, 15: 1000, 16: 40, 17: 20, 18: 0, 19: -90, 20: 0 };

/** Length of the northern and of the western side. */
function sidesOf(values: Record<number, number>): number[] | null {
  const corners = approximateGroundOf(values);
  return corners && [distanceM(corners[0], corners[1]), distanceM(corners[0], corners[3])].map(Math.round);
}

describe('a square around the frame centre', () => {
  it('has the target width, else that of the field of view at the slant range', () => {
    expect(sidesOf({ ...centre, 22: 500, 16: 90, 21: 5000 })).toEqual([500, 500]);
    expect(sidesOf({ ...centre, 96: 700 })).toEqual([700, 700]);
    expect(sidesOf({ ...centre, 16: 90, 21: 500 })).toEqual([1000, 1000]);
    const [a, b, c, d] = approximateGroundOf({ ...centre, 22: 500 })!;
    expect([a.lat > c.lat, a.lon < b.lon, d.lat < a.lat, Math.abs((a.lat + c.lat) / 2 - 46.01) < 1e-5]).toEqual([
      ...[true, true, true, true],
    ]);
  });

  it('is the centre itself without a width, and at most 40 km wide', () => {
    for (const more of [
      {},
      { 22: 0 },
      { 16: 90 },
      { 16: 0, 21: 500 },
      { 21: Number.NaN, 16: 90 },
      { 16: 180, 21: 9 },
    ]) {
      expect(sidesOf({ ...centre, ...more })).toEqual([0, 0]);
    }
    expect(sidesOf({ ...centre, 16: 178, 21: 5_000_000 })).toEqual([40_000, 40_000]);
    expect(sidesOf({ ...centre, 22: Number.POSITIVE_INFINITY })).toEqual([0, 0]);
  });

  it('is none without a centre, and where corners or attitude say more', () => {
    expect(sidesOf({ 22: 500 })).toBeNull();
    expect(sidesOf({ ...centre, 22: 500, ...attitude })).toBeNull();
    // The camera sees nothing but sky: the ground is not around the stated centre.
    expect(sidesOf({ ...centre, 22: 500, ...attitude, 19: 30 })).toBeNull();
    const corners = { 26: 0.01, 27: -0.01, 28: 0.01, 29: 0.01, 30: -0.01, 31: 0.01, 32: -0.01, 33: -0.01 };
    expect(sidesOf({ ...centre, 22: 500, ...corners })).toBeNull();
    expect(sidesOf({ 23: 95, 24: 9, 22: 500 })).toBeNull();
  });
});

it('stays approximate in a packed minute, next to footprints that are not', () => {
  const at = (timeUs: number, more: Partial<Sighting>): Sighting =>
    rounded({
      timeUs,
      corners: [
        [9, 46],
        [9.1, 46],
        [9.1, 45.9],
        [9, 45.9],
      ],
      platform: [9, 46, 1000],
      ...more,
    });
  const sightings = [
    at(1e6, {}),
    at(2e6, { approximate: true, platform: null }),
    at(3e6, { approximate: true, endUs: 4e6 }),
  ];
  expect(unpackSightings(packSightings(sightings))).toEqual(sightings);
});
