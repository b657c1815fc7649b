import { expect, it } from 'vitest';
import type { ShownFrame } from '../onscreen/frames.ts';
import { symbolOf } from '../onscreen/symbols.ts';
import { boundsOf, followedPoint, isRefreshDue } from './follow.ts';
import { CENTRE_MODES } from './map-storage.ts';
import { lineLabel, linesBetween, stepFor } from './overlays/graticule.ts';
import { heatOf } from './overlays/heat.ts';

it('draws graticule lines at whole degrees, minutes or seconds', () => {
  expect(stepFor(90, 5)).toBe(30);
  expect(stepFor(0.2, 5)).toBeCloseTo(5 / 60, 9);
  expect(linesBetween(23.95, 24.21, 0.1).map((lon) => lon.toFixed(1))).toEqual(['24.0', '24.1', '24.2']);
  expect(lineLabel(37 + 34 / 60, 1 / 60, ['N', 'S'])).toBe("37°34'N");
  expect(lineLabel(-0.5, 0.5, ['N', 'S'])).toBe("0°30'S");
  expect(lineLabel(190, 10, ['E', 'W'])).toBe('170°W');
  expect(lineLabel(24 + 1 / 3600, 1 / 3600, ['E', 'W'])).toBe('24°00\'01"E');
});

const frame: ShownFrame = {
  sensorId: 's',
  timeUs: 0,
  record: null,
  values: { '23': 37, '24': 24, '40': 38, '41': 25 },
  footprint: null,
  cut: null,
  platform: { lat: 36, lon: 23 },
  headingDeg: null,
  stale: false,
  targets: [],
  width: 640,
  height: 480,
};

it('follows its target, and nothing in manual mode', () => {
  expect(followedPoint(CENTRE_MODES.manual, frame)).toBeNull();
  expect(followedPoint(CENTRE_MODES.platform, frame)).toEqual({ lat: 36, lon: 23 });
  expect(followedPoint(CENTRE_MODES.frame, frame)).toEqual({ lat: 37, lon: 24 });
  expect(followedPoint(CENTRE_MODES.target, frame)).toEqual({ lat: 38, lon: 25 });
  expect(followedPoint(CENTRE_MODES.target, { ...frame, values: { '23': 37, '24': 24 } })).toEqual({
    lat: 37,
    lon: 24,
  });
});

it('is moved to its target every two seconds, and at once near its edge', () => {
  expect(isRefreshDue({ sinceMs: 1999, nearEdge: false })).toBe(false);
  expect(isRefreshDue({ sinceMs: 2000, nearEdge: false })).toBe(true);
  expect(isRefreshDue({ sinceMs: 0, nearEdge: true })).toBe(true);
});

it('keeps a view over the antimeridian small', () => {
  const [[west], [east]] = boundsOf([
    { lon: 179.9, lat: 0 },
    { lon: -179.9, lat: 1 },
  ])!;

  expect(east - west).toBeCloseTo(0.2, 6);
  expect(boundsOf([])).toBeNull();
});

it('weighs a heat map by the longest stay', () => {
  const { features } = heatOf([
    { lat: 1, lon: 2, seconds: 4 },
    { lat: 3, lon: 4, seconds: 8 },
  ]);

  expect(features.map(({ properties }) => properties?.weight)).toEqual([0.5, 1]);
});

it('has a symbol of its own for planes, helicopters, quadcopters, ROVs, cameras and divers; only planes turn', () => {
  const kinds = ['Plane', 'Helicopter', 'Quadcopter', 'ROV', 'Camera', 'Diver'].map(symbolOf);

  expect(new Set([...kinds, symbolOf('Something else')].map(({ path }) => path)).size).toBe(7);
  expect(kinds.map(({ turns }) => turns)).toEqual([true, false, false, false, false, false]);
});
