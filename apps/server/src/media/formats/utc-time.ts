import { EARLIEST_US } from '@osprey/klv';

/**
 * ISO 8601 as microseconds; UTC where a writer left out the zone. Null for what is no time, and for one before anything
 * of ours was recorded: receivers and encoders that do not know the time yet count from an epoch.
 */
export function utcTime(text: string): number | null {
  const timeUs = 1000 * Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  return timeUs >= EARLIEST_US ? timeUs : null;
}
