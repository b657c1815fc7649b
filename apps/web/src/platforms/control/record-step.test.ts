import { expect, it } from 'vitest';
import { livePlatformOf, liveSensorOf } from '../../testing/platforms.ts';
import { isAskedFirst, recordStep } from './record-step.ts';

const eo = liveSensorOf({ name: 'EO' });
const ir = liveSensorOf({ name: 'IR' });
const recorded = <Sensor extends object>(sensor: Sensor) => ({ ...sensor, live: true });
const idle = livePlatformOf({ sensors: [eo, ir] });
const half = livePlatformOf({ live: true, sensors: [recorded(eo), ir] });
const complete = livePlatformOf({ live: true, sensors: [recorded(eo), recorded(ir)] });
const platformRow = (platform: typeof idle) => ({ kind: 'platform' as const, platform, readAtMs: 0 });
const sensorRow = (platform: typeof idle, index: number) => ({
  kind: 'sensor' as const,
  platform,
  sensor: platform.sensors[index]!,
  readAtMs: 0,
});
const nothing = new Set<string>();

it.each([
  ['a platform that is not recorded, with all its sensors', platformRow(idle), nothing, 'mission', []],
  ['only the chosen sensors of a platform', platformRow(idle), new Set([ir._id]), 'mission', ['IR']],
  ['the platform as a whole when all are chosen', platformRow(idle), new Set([eo._id, ir._id]), 'mission', []],
  ['a sensor of a platform that is not recorded', sensorRow(idle, 1), nothing, 'mission', ['IR']],
] as const)('asks for a mission for %s', (_what, row, chosen, kind, sensors) => {
  expect(recordStep(row, chosen)).toMatchObject({ kind, sensors });
});

it('goes on with the running mission for a sensor of a recorded platform', () => {
  expect(recordStep(sensorRow(half, 1), nothing)).toMatchObject({ kind: 'startSensor', sensor: { name: 'IR' } });
});

it.each([
  ['a recorded platform as a whole', platformRow(complete), nothing, [], true],
  ['its chosen sensors alone', platformRow(complete), new Set([ir._id]), ['IR'], false],
  ['the mission, when all that is recorded is chosen', platformRow(half), new Set([eo._id]), [], true],
  ['the platform, when nothing of the chosen is recorded', platformRow(half), new Set([ir._id]), [], true],
] as const)('stops %s', (_what, row, chosen, sensors, ends) => {
  expect(recordStep(row, chosen)).toMatchObject({ kind: 'stopPlatform', sensors, ends });
});

it('stops a recorded sensor, and with the last one the mission', () => {
  expect(recordStep(sensorRow(complete, 0), nothing)).toMatchObject({
    kind: 'stopSensor',
    sensors: ['EO'],
    ends: false,
  });
  expect(recordStep(sensorRow(half, 0), nothing)).toMatchObject({ kind: 'stopSensor', sensors: ['EO'], ends: true });
});

it('asks first only where the mission of several sensors ends', () => {
  expect(isAskedFirst(recordStep(platformRow(complete), nothing))).toBe(true);
  expect(isAskedFirst(recordStep(platformRow(complete), new Set([ir._id])))).toBe(false);
  expect(isAskedFirst(recordStep(platformRow(half), nothing))).toBe(false);
  expect(isAskedFirst(recordStep(sensorRow(complete, 0), nothing))).toBe(false);
});
