import { expect, it } from 'vitest';
import { createPlausibility } from './plausibility.ts';

const START_US = 1_700_000_000_000_000;
const FAR =
  'The frame centre lies farther from the sensor than 1.2 times the slant range or 1.1 times the distance to the horizon';

/** Findings of records that come a second apart. */
function findingsOf(records: readonly Record<string, number>[], stepUs = 1_000_000) {
  const plausibility = createPlausibility();
  for (const [n, values] of records.entries()) plausibility.add(START_US + n * stepUs, values);
  return plausibility.findings();
}

/** At 50 N a degree of latitude has 111.2 km. From 1,000 m the horizon is 112.9 km away. */
const sensor = { 13: 50, 14: 8, 15: 1000 };
const centreAt = (metresNorth: number) => ({ 23: 50 + metresNorth / 111_195, 24: 8 });

it('says nothing of a flight that can be so', () => {
  const records = Array.from({ length: 100 }, (_none, n) => ({
    ...{ ...sensor, 13: 50 + n * 0.001, 21: 5000, 25: 100 },
    ...{
      23: 50 + n * 0.001 + 0.03,
      24: 8,
      82: 50.03 + n * 0.001,
      83: 8,
      84: 50.03,
      85: 8.01,
      86: 50.04,
      87: 8.01,
      88: 50.04,
      89: 8,
    },
  }));

  expect(findingsOf(records)).toEqual([]);
});

it.each([
  ['over 1.2 times the slant range', { ...sensor, 21: 1000, ...centreAt(1210) }, FAR],
  ['at 1.1 times the slant range', { ...sensor, 21: 1000, ...centreAt(1100) }, null],
  ['over 1.1 times the distance to the horizon', { ...sensor, ...centreAt(125_000) }, FAR],
  ['at the horizon', { ...sensor, ...centreAt(113_000) }, null],
  ['closer, where the ground is high and the horizon near', { ...sensor, 25: 990, ...centreAt(20_000) }, FAR],
  ['far away, where nobody knows the height', { 13: 50, 14: 8, ...centreAt(900_000) }, null],
])('judges a frame centre that lies %s', (_what, record, text) => {
  expect(findingsOf([record]).map((finding) => finding.text)).toEqual(text === null ? [] : [`${text}: in one record.`]);
});

it.each([
  ['a sensor', { 13: 0, 14: 0.000005 }, 1],
  ['a frame centre', { ...sensor, 23: -0.000005, 24: 0 }, 1],
  ['a place 2 m away', { 13: 0.00002, 14: 0 }, 0],
])('finds %s within 1 m of latitude 0, longitude 0', (_what, record, count) => {
  const found = findingsOf([record]).filter(({ text }) => text.startsWith('A position lies within 1 m'));

  expect(found).toHaveLength(count);
});

it('finds altitudes and elevations below −500 m, and none above', () => {
  const found = findingsOf([{ 15: -499 }, { 15: -501 }, { 75: -600 }, { 25: -550 }]);

  expect(found).toEqual([
    {
      severity: 'warning',
      text: 'An altitude lies below −500 m: in 3 records.',
      count: 3,
      time: START_US + 1_000_000,
    },
  ]);
});

it('finds footprints that reach over the horizon, given by corners or by offsets', () => {
  const corners = (north: number) => ({
    82: 50 + north,
    83: 8,
    84: 50 + north,
    85: 8.1,
    86: 50.1,
    87: 8.1,
    88: 50.1,
    89: 8,
  });
  const offsets = { 23: 50.01, 24: 8, 26: 1.5, 27: 0, 28: 1.5, 29: 0.1, 30: 0, 31: 0.1, 32: 0, 33: 0 };

  const found = findingsOf([
    { ...sensor, ...corners(0.2) },
    { ...sensor, ...corners(2) },
    { ...sensor, ...offsets },
  ]);

  expect(found.map(({ text, count, time }) => [text, count, time])).toEqual([
    ['The footprint reaches over the horizon: in 2 records.', 2, START_US + 1_000_000],
  ]);
});

it('counts views of the horizon, which are no fault', () => {
  const camera = { 5: 0, 6: 0, 7: 0, 13: 50, 14: 8, 15: 300, 16: 60, 17: 36, 18: 0, 19: -5 };

  const found = findingsOf([{ ...camera, 19: -60 }, camera, { ...camera, 19: 40 }, { ...camera, 20: 30 }]);

  const text = '2 views see the horizon: ground is counted up to 20 km from the sensor.';
  expect(found).toEqual([{ severity: 'good', text, count: 2, time: START_US + 1_000_000 }]);
});

it.each([
  ['760 m/s', 760, 1_000_000, 0],
  ['780 m/s', 780, 1_000_000, 19],
  ['780 m/s in pictures of 20 Hz', 780, 50_000, 10],
])('judges a speed of %s', (_what, metresPerSecond, stepUs, count) => {
  const degrees = (metresPerSecond * stepUs) / 1e6 / 111_195;
  const records = Array.from({ length: 20 }, (_none, n) => ({ 13: 50 + n * degrees, 14: 8 }));

  expect(findingsOf(records, stepUs).map((finding) => finding.count ?? 0)).toEqual(count === 0 ? [] : [count]);
});

it('takes no jitter between two pictures for speed, and no step over a pause', () => {
  const jitter = Array.from({ length: 100 }, (_none, n) => ({ 13: 50 + (n % 2) * 0.0003, 14: 8 }));
  const pause = createPlausibility();
  pause.add(START_US, { 13: 50, 14: 8 });
  pause.add(START_US + 61_000_000, { 13: 60, 14: 8 });

  expect(findingsOf(jitter, 20_000)).toEqual([]);
  expect(pause.findings()).toEqual([]);
});
