const WHOLE_ISO = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const HAS_ZONE = /(?:^[^T]*|Z|[+-]\d\d:?\d\d)$/;

/**
 * Parses a time given in microseconds or in ISO 8601 and returns UTC microseconds; null for any other text. A time
 * without a zone is taken as UTC.
 */
export function timeOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^-?\d{1,16}$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : null;
  const timeUs = WHOLE_ISO.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text}Z`) * 1000 : Number.NaN;
  return Number.isSafeInteger(timeUs) ? timeUs : null;
}

/** Formats UTC microseconds as "2026-11-04 14:52:07"; empty for null. */
export const timeText = (timeUs: number | null): string =>
  timeUs === null ? '' : new Date(timeUs / 1000).toISOString().slice(0, 19).replace('T', ' ');

/** Parses such a text and returns UTC microseconds; null if it is not a valid time. */
export function timeOfText(text: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?$/.exec(text.trim());
  if (!match) return null;
  const ms = Date.parse(`${match[1]}T${match[2]!.length === 5 ? `${match[2]}:00` : match[2]}Z`);
  return Number.isNaN(ms) ? null : ms * 1000;
}
