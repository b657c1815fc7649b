const WHOLE_ISO = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const HAS_ZONE = /(?:^[^T]*|Z|[+-]\d\d:?\d\d)$/;

/**
 * UTC microseconds of microseconds or ISO 8601; null for anything else. A time without a zone is UTC for every reader.
 */
export function timeOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^-?\d{1,16}$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : null;
  const timeUs = WHOLE_ISO.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text}Z`) * 1000 : Number.NaN;
  return Number.isSafeInteger(timeUs) ? timeUs : null;
}
