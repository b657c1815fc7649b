import type { LivePlatform, LiveSensor } from '@osprey/contract';
import type { Row } from '../rows.ts';

/**
 * Action of a row's record button. `sensors`: names of the sensors concerned; empty means all of the platform. `ends`:
 * no sensor of the platform is recorded afterwards, so that its mission ends.
 */
export type RecordStep =
  | { kind: 'stopPlatform'; platform: LivePlatform; sensors: string[]; ends: boolean }
  | { kind: 'stopSensor'; platform: LivePlatform; sensor: LiveSensor; sensors: string[]; ends: boolean }
  | { kind: 'startSensor'; platform: LivePlatform; sensor: LiveSensor }
  | { kind: 'mission'; platform: LivePlatform; sensors: string[] };

const namesOf = (sensors: readonly LiveSensor[]): string[] => sensors.map(({ name }) => name);

/**
 * Returns what a record button does: start or stop. The button of a platform applies to its chosen sensors, or to all
 * if none is chosen.
 */
export function recordStep(row: Row, chosenIds: ReadonlySet<string>): RecordStep {
  const { platform } = row;
  const recorded = platform.sensors.filter(({ live }) => live);
  if (row.kind === 'sensor') {
    const { sensor } = row;
    if (sensor.live) {
      return { kind: 'stopSensor', platform, sensor, sensors: [sensor.name], ends: recorded.length === 1 };
    }
    if (platform.live) return { kind: 'startSensor', platform, sensor };
    return { kind: 'mission', platform, sensors: [sensor.name] };
  }
  const chosen = platform.sensors.filter(({ _id }) => chosenIds.has(_id));
  if (platform.live) {
    const stopped = chosen.filter(({ live }) => live);
    const ends = stopped.length === 0 || stopped.length === recorded.length;
    return { kind: 'stopPlatform', platform, sensors: ends ? [] : namesOf(stopped), ends };
  }
  const isPart = chosen.length > 0 && chosen.length < platform.sensors.length;
  return { kind: 'mission', platform, sensors: isPart ? namesOf(chosen) : [] };
}

/** Whether to ask for confirmation: before ending a mission into which several sensors are recorded. */
export const isAskedFirst = (step: RecordStep): boolean =>
  step.kind === 'stopPlatform' && step.ends && step.platform.sensors.filter(({ live }) => live).length > 1;
