import { expect, it } from 'vitest';
import { declinationDeg } from './declination.ts';

const january = (year: number) => Date.UTC(year, 0) * 1000;
const middle = (year: number) => ((Date.UTC(year, 0) + Date.UTC(year + 1, 0)) / 2) * 1000;

/** Rows of the test values that NOAA/NCEI publishes with the models; height in kilometres. */
it.each([
  [january(2020), 28, 89, -121, -112.41],
  [january(2020), 65, 43, 93, 0.71],
  [january(2020), 39, -59, -8, -15.79],
  [january(2020), 18, 0, 21, 1.05],
  [middle(2020), 69, 38, -144, 13.39],
  [middle(2020), 8, -66, 17, -32.56],
  [middle(2020), 50, -81, -67, 28.65],
  [january(2025), 48, 80, -96, -29.91],
  [january(2025), 51, -33, 109, -5.49],
  [january(2025), 3, -50, -103, 27.96],
  [january(2025), 66, 14, 143, -0.19],
])('is that of the published values (%s, %s km, %s, %s)', (timeUs, km, lat, lon, degrees) => {
  expect(declinationDeg({ lat, lon }, timeUs, km * 1000)).toBeCloseTo(degrees, 1);
});

it('is unknown for years without a model, and at the poles', () => {
  const kea = { lat: 37.6, lon: 24.3 };
  expect(declinationDeg(kea, january(2026))).toBeCloseTo(5.17, 1);
  expect([declinationDeg(kea, january(2019)), declinationDeg(kea, january(2030))]).toEqual([null, null]);
  expect(declinationDeg({ lat: 90, lon: 0 }, january(2026))).toBeNull();
});
