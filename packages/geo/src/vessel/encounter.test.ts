import { describe, expect, it } from 'vitest';
import { distanceM } from '../great-circle.ts';
import { type ClosestApproach, encounterOf, type Mover } from './encounter.ts';

const NOW = 1_700_000_000_000_000;
const NM = 1852;
/** Metres of a degree on the equator of WGS 84: 6378137 x pi / 180. */
const DEGREE_M = 111_319.4908;

const mover = (lat: number, lon: number, sogKnots: number | null, cogDeg: number | null): Mover => ({
  ...{ lat, lon, sogKnots, cogDeg, timeUs: NOW },
});
/** Nautical miles east of 0 E on the equator. */
const east = (nm: number) => (nm * NM) / DEGREE_M;
/** Nautical miles north of the equator, where a degree of the meridian has 110574.28 m. */
const north = (nm: number) => (nm * NM) / 110_574.28;

const closest = (own: Mover, other: Mover, atUs = NOW): ClosestApproach => {
  const found = encounterOf(own, other, atUs).closest;
  if (typeof found === 'string') throw new Error(`it is ${found}`);
  return found;
};

describe('two ships that hold course and speed', () => {
  it('head on: 10 nm apart at 10 and 20 knots meet after 20 minutes', () => {
    const [own, other] = [mover(0, 0, 10, 90), mover(0, east(10), 20, 270)];
    const seen = encounterOf(own, other, NOW);

    expect(seen.distanceM).toBeCloseTo(10 * NM, 1);
    expect(seen.bearingDeg).toBeCloseTo(90, 6);
    expect(closest(own, other).seconds).toBeCloseTo(1200, 1);
    expect(closest(own, other).distanceM).toBeLessThan(0.1);
  });

  it('passing head on with 1 nm between their tracks come no nearer than that', () => {
    const pass = closest(mover(0, 0, 10, 90), mover(north(1), east(10), 20, 270));

    expect(pass.seconds).toBeCloseTo(1200, 0);
    expect(pass.distanceM).toBeCloseTo(NM, 0);
  });

  it('crossing: 3 nm east and 4 nm south of one point with 12 and 12 knots pass at 0.71 nm after 17.5 minutes', () => {
    // The other is at (3, 4) from own and moves by (-12, -12) an hour: t = 84/288 h, and (3 - 4) / sqrt 2 nm across.
    const pass = closest(mover(-north(4), 0, 12, 0), mover(0, east(3), 12, 270));

    expect(pass.seconds).toBeCloseTo((84 / 288) * 3600, 0);
    expect(pass.distanceM).toBeCloseTo(NM / Math.SQRT2, 0);
  });

  it('overtaking: 5 knots faster and 2 nm astern, half a mile to the side, is abeam after 24 minutes', () => {
    const pass = closest(mover(0, 0, 15, 0), mover(north(2), east(0.5), 10, 0));

    expect(pass.seconds).toBeCloseTo(1440, 0);
    expect(pass.distanceM).toBeCloseTo(NM / 2, 0);
  });

  it('that were nearest half an hour ago have a negative time', () => {
    const pass = closest(mover(0, 0, 10, 270), mover(0, east(10), 10, 90));

    expect(pass.seconds).toBeCloseTo(-1800, 1);
  });

  it('on parallel courses at the same speed, or both stopped, have no closest approach', () => {
    expect(encounterOf(mover(50, 0, 12, 45), mover(50.1, 0.2, 12, 45), NOW).closest).toBe('none');
    expect(encounterOf(mover(50, 0, 0, null), mover(50.1, 0.2, 0, 360), NOW).closest).toBe('none');
    // Some metres an hour of rounding are no motion, and a mile a day gives no direction.
    expect(encounterOf(mover(50, 0, 12, 45), mover(50.1, 0.2, 12.01, 45), NOW).closest).toBe('none');
    expect(encounterOf(mover(0, 0, 0.1, 90), mover(0, east(10), 0, null), NOW).closest).toBe('none');
  });

  it('a stopped ship, or a point, is passed abeam: 6 nm ahead and 2 nm to the side at 12 knots after 30 minutes', () => {
    const pass = closest(mover(0, 0, 12, 90), mover(north(2), east(6), 0, null));

    expect(pass.seconds).toBeCloseTo(1800, 0);
    expect(pass.distanceM).toBeCloseTo(2 * NM, 0);
  });

  it('both start on the same place: they are nearest now', () => {
    expect(closest(mover(10, 10, 5, 0), mover(10, 10, 5, 180))).toEqual({ distanceM: 0, seconds: 0 });
  });

  it('without speed or course of one the approach is unknown, and distance and bearing are those of its last place', () => {
    for (const other of [mover(0, east(10), null, 90), mover(0, east(10), 20, null)]) {
      const seen = encounterOf(mover(0, 0, 0, null), other, NOW + 600e6);
      expect(seen.closest).toBe('unknown');
      expect(seen.distanceM).toBeCloseTo(10 * NM, 1);
    }
  });
});

describe('reports of different times', () => {
  it('are brought to one moment: 12 minutes at 10 knots are 2 nm', () => {
    const own = { ...mover(0, 0, 10, 90), timeUs: NOW - 720e6 };
    const seen = encounterOf(own, mover(0, east(10), 0, null), NOW);

    expect(seen.distanceM).toBeCloseTo(8 * NM, 1);
    expect(closest(own, mover(0, east(10), 0, null)).seconds).toBeCloseTo(8 * 360, 1);
    // A later report is carried back too.
    const later = { ...mover(0, 0, 10, 90), timeUs: NOW + 720e6 };
    expect(encounterOf(later, mover(0, east(10), 0, null), NOW).distanceM).toBeCloseTo(12 * NM, 1);
  });

  it('run down the same time as the moment goes on', () => {
    const [own, other] = [mover(37, 24, 14, 30), mover(37.2, 24.3, 9, 290)];
    const first = closest(own, other);
    const then = closest(own, other, NOW + 300e6);

    expect(then.seconds).toBeCloseTo(first.seconds - 300, 0);
    expect(then.distanceM).toBeCloseTo(first.distanceM, 0);
  });
});

describe('places on WGS 84', () => {
  it('agree with the published geodesic of Flinders Peak and Buninyong, on a spheroid within a metre of WGS 84', () => {
    // Geoscience Australia's example on GRS 80: 54972.271 m, 306 52 05.37.
    const flinders = mover(-(37 + 57 / 60 + 3.7203 / 3600), 144 + 25 / 60 + 29.5244 / 3600, 0, null);
    const buninyong = mover(-(37 + 39 / 60 + 10.1561 / 3600), 143 + 55 / 60 + 35.3839 / 3600, 0, null);
    const seen = encounterOf(flinders, buninyong, NOW);

    expect(seen.distanceM).toBeCloseTo(54_972.271, 1);
    expect(seen.bearingDeg).toBeCloseTo(306 + 52 / 60 + 5.37 / 3600, 3);
  });

  it('are right to a metre still at 900 km, by the inverse formula of Vincenty', () => {
    const metres = encounterOf(mover(37, 24, 0, null), mover(43, 31, 0, null), NOW).distanceM;

    expect(Math.abs(metres - 894396.781328849)).toBeLessThan(1);
  });

  it('across the antimeridian are as near as anywhere else', () => {
    const here = encounterOf(mover(52, 9.9, 15, 90), mover(52.02, 10.1, 11, 265), NOW);
    const there = encounterOf(mover(52, 179.9, 15, 90), mover(52.02, -179.9, 11, 265), NOW);

    expect(there.distanceM).toBeCloseTo(here.distanceM, 3);
    expect(there.bearingDeg).toBeCloseTo(here.bearingDeg, 6);
    const [pass, other] = [there.closest, here.closest] as [ClosestApproach, ClosestApproach];
    expect(pass.seconds).toBeCloseTo(other.seconds, 3);
    expect(pass.distanceM).toBeCloseTo(other.distanceM, 3);
    expect(pass.seconds).toBeGreaterThan(0);
  });

  it('of 70 N meet where their courses of constant bearing do', () => {
    // On one parallel, each 5 nm from the middle: the circle of latitude has N cos(lat), N = a / sqrt(1 - e2 sin2(lat)).
    const radius =
      (6378137 / Math.sqrt(1 - 0.00669437999 * Math.sin((70 * Math.PI) / 180) ** 2)) * Math.cos((70 * Math.PI) / 180);
    const lon = ((5 * NM) / radius) * (180 / Math.PI);
    const pass = closest(mover(70, -lon, 10, 90), mover(70, lon, 10, 270));

    expect(pass.seconds).toBeCloseTo(1800, 1);
    expect(pass.distanceM).toBeLessThan(0.1);
  });

  it('are finite everywhere, to the pole and round the world', () => {
    for (const other of [mover(90, 0, 20, 45), mover(-89.99, 170, 30, 10), mover(0, -179, 102.2, 359.9)]) {
      const seen = encounterOf(mover(89.9, 0, 25, 0), other, NOW + 3600e6);
      expect(Number.isFinite(seen.distanceM) && seen.distanceM < 20_100_000).toBe(true);
      expect(seen.bearingDeg >= 0 && seen.bearingDeg < 360).toBe(true);
    }
  });

  it('are as far as the sphere says, to its half per cent', () => {
    const [own, other] = [mover(37, 24, 0, null), mover(39, 27, 0, null)];
    expect(Math.abs(encounterOf(own, other, NOW).distanceM / distanceM(own, other) - 1)).toBeLessThan(0.0056);
  });
});
