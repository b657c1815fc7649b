import { expect, it } from 'vitest';
import { firstOfDay } from './useChosenDay.ts';

const HOUR_US = 3_600_000_000;
const startUs = Date.UTC(2026, 5, 1) * 1000;
const ofHours = (from: number, to: number) => ({
  ...{ from: startUs + from * HOUR_US, to: startUs + to * HOUR_US, sensor: 'EO', sensorId: 's', mission: 'Kea' },
  ...{ missionId: 'm', color: '#3366cc', platformName: 'Curlew', platformType: 'Plane' },
});
const heard = (from: number, to: number) => ({
  ...{ sensor: 'r', sensorName: 'AIS', platformName: 'Mole', missionName: null },
  spans: [[startUs + from * HOUR_US, startUs + to * HOUR_US]] as [number, number][],
});

it('goes to the first recording of the day from a time at which nothing was recorded or heard', () => {
  const recordings = [ofHours(9, 9.5), ofHours(10.5, 11)];
  const from = (hour: number, receivers = [heard(12, 13)]) => {
    const firstUs = firstOfDay({ startUs, recordings, receivers }, startUs + hour * HOUR_US);
    return firstUs === null ? null : (firstUs - startUs) / 1e6;
  };

  expect([from(2), from(10), from(14)]).toEqual([32_401, 32_401, 32_401]);
  expect([from(9.2), from(11), from(12.5)]).toEqual([null, null, null]);
  expect(firstOfDay({ startUs, recordings: [], receivers: [] }, startUs)).toBeNull();
  // A mission of the day before, which ends at 01:00.
  expect(firstOfDay({ startUs, recordings: [ofHours(-2, 1)], receivers: [] }, startUs + 3 * HOUR_US)).toBe(
    startUs + 1e6,
  );
});
