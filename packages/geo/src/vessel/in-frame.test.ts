import { expect, it } from 'vitest';
import type { Corners } from '../footprint.ts';
import { destination, distanceM } from '../great-circle.ts';
import { homography } from '../homography.ts';
import type { Point } from '../point.ts';
import { hullOf } from './hull.ts';
import { vesselsInFrame } from './in-frame.ts';
import { type Metres, planeAround } from './local-plane.ts';
import { REPORT_AGE_MAX_S, stateAt, type VesselReport } from './motion.ts';
import { pointingSpread } from './pointing.ts';
import { ellipseOf, spreadAlong } from './spread.ts';

const MIDDLE: Point = { lon: 24.3, lat: 37.6 };
const NOW = 1_780_304_400_000_000;

function report(fields: Partial<VesselReport> = {}): VesselReport {
  return {
    ...{
      ...MIDDLE,
      timeUs: NOW,
      sogKnots: 10,
      cogDeg: 90,
      headingDeg: 90,
      turnDegMin: 0,
      accurate: true,
      standing: false,
    },
    ...fields,
  };
}

/** A footprint of 1,000 m by 600 m around a place, seen from the south. */
function cornersAround(middle: Point): Corners {
  const plane = planeAround(middle);
  const at = (...metres: Metres) => plane.toPlace(metres);
  return [at(-500, 300), at(500, 300), at(500, -300), at(-500, -300)];
}
const sharp = spreadAlong(0, 1, 1);
const sizes = { toBow: 100, toStern: 20, toPort: 8, toStarboard: 10 };
const look = (reports: VesselReport[], corners = cornersAround(MIDDLE), timeUs = NOW) =>
  vesselsInFrame([{ mmsi: 1, sizes, reports }], { corners, timeUs, pointing: sharp });

it('carries a report forward along its course, and says that it knows less the older it is', () => {
  const states = [0, 10, 60, 180].map((second) => stateAt([report()], NOW + second * 1e6)!);
  for (const [at, second] of [0, 10, 60, 180].entries()) {
    expect(distanceM(MIDDLE, states[at]!.place)).toBeCloseTo((second * 10 * 1852) / 3600, -1);
    expect(states[at]!.ageS).toBe(second);
  }
  const errors = states.map(({ spread }) => ellipseOf(spread).majorM);
  expect(errors).toEqual([...errors].sort((a, b) => a - b));
  expect(errors[0]).toBeLessThan(15);
  expect(stateAt([report()], NOW + (REPORT_AGE_MAX_S + 1) * 1e6)).toBeNull();
  expect(stateAt([], NOW)).toBeNull();
});

it('knows less of a fast ship, of a coarse position, and of one without speed or course, and more of one at anchor', () => {
  const error = (fields: Partial<VesselReport>) => ellipseOf(stateAt([report(fields)], NOW + 60e6)!.spread).majorM;
  expect(error({ sogKnots: 20 })).toBeGreaterThan(error({ sogKnots: 5 }));
  expect(error({ accurate: false })).toBeGreaterThan(error({}));
  expect(error({ sogKnots: null })).toBeGreaterThan(500);
  expect(error({ sogKnots: 0.1, cogDeg: null, standing: true })).toBeLessThan(error({}));
});

it('goes on in a turn that was reported, which ends by itself', () => {
  const [straight, turning] = [0, 30].map((turnDegMin) => stateAt([report({ turnDegMin })], NOW + 60e6)!);
  expect(turning!.cogDeg).toBeGreaterThan(100);
  expect(turning!.cogDeg).toBeLessThan(120);
  expect(turning!.place.lat).toBeLessThan(straight!.place.lat);
});

it('between two reports takes the place that fits both, and doubts it where they do not agree', () => {
  const end = destination(MIDDLE, 90, 617.3);
  const later = report({ ...end, timeUs: NOW + 120e6 });
  const alone = stateAt([report()], NOW + 60e6)!;
  const both = stateAt([report(), later], NOW + 60e6)!;
  expect(distanceM(MIDDLE, both.place)).toBeCloseTo(308.7, 0);
  expect(ellipseOf(both.spread).majorM).toBeLessThan(ellipseOf(alone.spread).majorM);
  const odd = stateAt([report(), { ...later, ...destination(end, 0, 900) }], NOW + 60e6)!;
  expect(ellipseOf(odd.spread).majorM).toBeGreaterThan(1.5 * ellipseOf(both.spread).majorM);
});

it('draws the hull around its antenna along its heading, in the middle where the antenna is not known', () => {
  const { outline, middle } = hullOf(sizes, 90);
  const xs = outline.map(([east]) => east);
  const ys = outline.map(([, north]) => north);
  expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)].map(Math.round)).toEqual([
    -20, 100, -10, 8,
  ]);
  expect(middle.map(Math.round)).toEqual([40, -1]);
  expect(hullOf({ toBow: 0, toStern: 120, toPort: 0, toStarboard: 18 }, 0).middle.map(Math.round)).toEqual([0, 0]);
  expect(hullOf(sizes, null).outline.every((at) => Math.round(Math.hypot(...at)) === 100)).toBe(true);
});

it('finds a ship in the middle of the picture at its pixel, surely', () => {
  const corners = cornersAround(MIDDLE);
  const [one, ...others] = look([report()], corners);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ mmsi: 1, sure: true });
  // The middle of the ship is 40 m ahead of the antenna and one metre to starboard.
  expect(one!.middle.x).toBeCloseTo(0.54, 3);
  expect(one!.middle.y).toBeCloseTo(0.5 + 1 / 600, 3);
  const bow = one!.outline[0]!;
  expect([bow.x, bow.y].map((share) => Math.round(share * 1000))).toEqual([600, 502]);
  expect(homography(corners)!.toGround(one!.middle.x, one!.middle.y).lon).toBeCloseTo(one!.place.lon, 7);
});

it('counts a ship whose antenna is outside and whose bow is inside, and none whose ellipse does not reach the picture', () => {
  const west = (metres: number) => report({ ...destination(MIDDLE, 270, metres) });
  expect(look([west(560)])[0]).toMatchObject({ sure: true });
  // The bow is at the border of the picture, so whether the ship is in the picture is not known.
  expect(look([west(600)])[0]).toMatchObject({ sure: false });
  expect(look([west(640)])).toEqual([]);
  // Two minutes later the place is less certain.
  const later = look(
    [{ ...west(640), sogKnots: 10, cogDeg: 180, headingDeg: 90 }],
    cornersAround(destination(MIDDLE, 180, 617)),
    NOW + 120e6,
  );
  expect(later[0]).toMatchObject({ sure: false });
});

it('works across the antimeridian, and finds nothing where corners are no picture', () => {
  const far: Point = { lon: 179.999, lat: -17 };
  const corners = cornersAround(far);
  expect(corners.some(({ lon }) => lon < 0)).toBe(true);
  expect(look([report({ ...far })], corners)[0]).toMatchObject({ sure: true });
  expect(look([report({ lon: -179.999, lat: -17 })], corners)[0]).toMatchObject({ sure: true });
  const [a, b, c, d] = cornersAround(MIDDLE);
  expect(look([report()], [a, c, b, d])).toEqual([]);
});

it('takes the error of the telemetry from tag 45, else from distance and depression', () => {
  const centre = destination(MIDDLE, 0, 2000);
  const platform = { 13: MIDDLE.lat, 14: MIDDLE.lon, 15: 500, 25: 0 };
  const stated = ellipseOf(pointingSpread({ ...platform, 45: 30 }, { centre }));
  expect(stated.majorM).toBeCloseTo(30 * Math.sqrt(Math.log(0.05) / Math.log(0.1)), 1);
  const computed = ellipseOf(pointingSpread(platform, { centre }));
  expect(computed.majorM).toBeGreaterThan(2 * computed.minorM);
  // Along the line of sight, which leads north.
  expect(Math.abs(Math.cos((computed.bearingDeg * Math.PI) / 180))).toBeCloseTo(1, 6);
  expect(ellipseOf(pointingSpread({}, { centre })).majorM).toBeGreaterThan(20);
});
