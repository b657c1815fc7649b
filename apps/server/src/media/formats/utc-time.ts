import { EARLIEST_US } from '@osprey/klv';

/**
 * Parses ISO 8601 to microseconds, as UTC if there is no zone. Null for invalid texts, and for times too early to be
 * real, since receivers and encoders that do not know the time yet count from an epoch.
 */
export function utcTime(text: string): number | null {
  // A date with the day or the month first would be taken as one of America.
  if (!/^\s*[+-]?\d{4}/.test(text)) return null;
  const iso = text.toUpperCase().replace(/(:\d\d),(\d)/, '$1.$2');
  const timeUs = 1000 * Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`);
  return timeUs >= EARLIEST_US ? timeUs : null;
}
