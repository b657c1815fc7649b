import type { LookbackSpan } from '@osprey/contract';
import { isoOf } from '../ui/filter/query-filter.ts';

/** Returns the address of the mission at the first picture of a span. */
export const addressOfSpan = ({
  missionId,
  sensorId,
  first,
}: Pick<LookbackSpan, 'missionId' | 'sensorId' | 'first'>): string =>
  `/missions?${new URLSearchParams({ mission: missionId, sensor: sensorId, t: isoOf(first) })}`;

/** Distinguishes a span from the others while it goes on: times of one sensor do not overlap, and only ends move. */
export const keyOfSpan = ({ sensorId, from }: Pick<LookbackSpan, 'sensorId' | 'from'>): string => `${sensorId} ${from}`;
