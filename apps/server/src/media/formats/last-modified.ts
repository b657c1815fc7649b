import { moment } from '@osprey/contract';

/** Below it a number is milliseconds, as browsers count (until the year 5138), above it microseconds. */
const MILLISECONDS_BELOW = 1e14;

/** Modification time of a file, as the browser states it, in microseconds; null for none, and for invalid values. */
export function readLastModified(text: string | undefined): number | null {
  const parsed = moment.safeParse(text ?? '');
  if (!parsed.success || parsed.data <= 0) return null;
  const isNumber = /^\d+$/.test(text ?? '');
  return isNumber && parsed.data < MILLISECONDS_BELOW ? parsed.data * 1000 : parsed.data;
}
