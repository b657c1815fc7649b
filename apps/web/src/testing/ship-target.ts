import type { MapTarget } from '../ais/map/targets.ts';

/** Returns a test target: a class A ship at 24° E, 37° N, with the given fields replaced. */
export const testTarget = (given: Partial<MapTarget> = {}): MapTarget => ({
  ...{ id: '237000001', mmsi: 237_000_001, kind: 'shipA', latitude: 37, longitude: 24, timeUs: 1_700_000_000_000_000 },
  ...{ cog: 90, sog: 12, heading: 88, turn: 0, name: 'ARGO TRADER', shipType: 70, colour: null, lost: false },
  dimensions: { toBow: 100, toStern: 20, toPort: 8, toStarboard: 12 },
  ...given,
});
