import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bearingDeg,
  createCoverage,
  destination,
  distanceM,
  formatDms,
  fromEcef,
  homography,
  meetGround,
  northEastDown,
  type Position,
  polygonAreaSqKm,
  quadrangle,
  simplifyLine,
  splitAtAntimeridian,
  splitLineAtAntimeridian,
  toEcef,
} from './index.ts';

/** Numbers that a broken packet may hold: NaN, infinities, places beyond the poles, numbers of any size. */
const number = fc.oneof(
  fc.double(),
  fc.double({ min: -400, max: 400 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, -90, 90, -180, 180),
);
const point = fc.record({ lon: number, lat: number });
const position = fc.tuple(number, number);
const line = fc.array(position, { maxLength: 12 });
const corners = fc.tuple(point, point, point, point);
const vector = fc.tuple(number, number, number);

/** Each accepts any value and returns; a hang meets the time limit of the test. */
const accepts = <T>(values: fc.Arbitrary<T>, work: (value: T) => unknown, runs = 3000) =>
  fc.assert(
    fc.property(values, (value) => {
      expect(work(value)).toBeDefined();
    }),
    { numRuns: runs, seed: 19_700_101 },
  );

it('distances, bearings and places beyond them', () => {
  accepts(fc.tuple(point, point, number, number), ([a, b, bearing, metres]) => [
    distanceM(a, b),
    bearingDeg(a, b),
    destination(a, bearing, metres),
  ]);
});

it('the ellipsoid and the ground that a ray meets', () => {
  accepts(fc.tuple(fc.record({ lon: number, lat: number, heightM: number }), vector, vector), ([place, a, b]) => [
    fromEcef(toEcef(place)),
    fromEcef(a),
    northEastDown(place),
    meetGround(a, b, place.heightM),
  ]);
});

it('perspectives', () => {
  accepts(fc.tuple(corners, fc.tuple(vector, vector, vector, vector), number, number), ([four, onAPlane, x, y]) => {
    const onGround = homography(four);
    const onPlane = quadrangle(onAPlane);
    return [onGround?.toGround(x, y), onPlane?.fromSquare(x, y), onPlane?.toSquare(x, y)];
  });
});

it('areas, lines and their parts on both sides of the antimeridian', () => {
  accepts(line, (places) => {
    const parts = [...splitAtAntimeridian(places), ...splitLineAtAntimeridian(places)];
    expect(parts.flat().length).toBeLessThan(20 * (places.length + 2));
    return [polygonAreaSqKm(places), simplifyLine(places, 10)];
  });
});

it('degrees, minutes and seconds', () => {
  accepts(point, (place) => formatDms(place));
});

it('the union of footprints stays bounded', () => {
  accepts(
    fc.array(fc.tuple(corners, number), { maxLength: 6 }),
    (footprints) => {
      const coverage = createCoverage({ rowsPerFootprint: 64, maxStretches: 1000 });
      for (const [four, second] of footprints) coverage.add({ corners: four }, second);
      const { geometry } = coverage.area();
      expect(places(geometry.coordinates)).toBeLessThan(20_000);
      return geometry;
    },
    500,
  );
});

const places = (polygons: Position[][][]): number => polygons.flat(2).length;
