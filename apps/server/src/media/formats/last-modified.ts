import { moment } from '@osprey/contract';

/** Numbers below this are milliseconds, as browsers use them (until the year 5138); numbers above are microseconds. */
const MILLISECONDS_BELOW = 1e14;

/**
 * Parses the modification time of a file as stated by the browser; returns microseconds, or null if there is none or it
 * is invalid.
 */
export function readLastModified(text: string | undefined): number | null {
  const parsed = moment.safeParse(text ?? '');
  if (!parsed.success || parsed.data <= 0) return null;
  const isNumber = /^\d+$/.test(text ?? '');
  return isNumber && parsed.data < MILLISECONDS_BELOW ? parsed.data * 1000 : parsed.data;
}
