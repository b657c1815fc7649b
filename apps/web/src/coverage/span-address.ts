import type { LookbackSpan } from '@osprey/contract';
import { isoOf } from '../ui/filter/query-filter.ts';

/** Returns the address of the mission at the first picture of a span. */
export const addressOfSpan = ({
  missionId,
  sensorId,
  first,
}: Pick<LookbackSpan, 'missionId' | 'sensorId' | 'first'>): string =>
  `/missions?${new URLSearchParams({ mission: missionId, sensor: sensorId, t: isoOf(first) })}`;

/**
 * Returns a key that identifies a span while it grows: spans of the same sensor do not overlap, and only their end
 * changes.
 */
export const keyOfSpan = ({ sensorId, from }: Pick<LookbackSpan, 'sensorId' | 'from'>): string => `${sensorId} ${from}`;
