/**
 * Range of plausible times, in UTC seconds: AIS did not exist before the first year, and a clock beyond the last one is
 * wrong.
 */
const EARLIEST_S = Date.UTC(1990, 0) / 1000;
const LATEST_S = Date.UTC(2100, 0) / 1000;

/** Minimum epoch value that is interpreted as milliseconds; as seconds it would be the year 33658. */
const MILLISECONDS_FROM = 1e12;

/** Converts seconds or milliseconds since 1970 to UTC microseconds; NaN if the time is implausible for a receiver. */
export function epochUs(value: number): number {
  const seconds = value >= MILLISECONDS_FROM ? value / 1000 : value;
  return seconds >= EARLIEST_S && seconds < LATEST_S ? Math.round(seconds * 1e6) : Number.NaN;
}

const EPOCH = /(?<![\w.+-])(?:\d{10}(?:\.\d{1,9})?|\d{13})(?![\w.])/g;
/** Basic format of ISO 8601, also without the letter between date and time, as written by AIS-catcher. */
const COMPACT =
  /(?<![\w.+-])(\d{4})(\d{2})(\d{2})[T _-]?(\d{2})(\d{2})(\d{2})(?:[.,](\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))?(?![\w.])/;
/** Matches a date whose order of day and month is unclear. */
const AMBIGUOUS = /(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})[T ,_-]{1,2}\d{1,2}:\d{2}/;
const DATE =
  /(\d{4})[-/.](\d{2})[-/.](\d{2})[T _-]{1,2}(\d{2})[:.](\d{2})[:.](\d{2})(?:[.,](\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))?/;
/** Half of the day that follows a time of twelve hours. */
const HALF = /^ ?([AP])\.?M\b/i;

/**
 * Parses the time that a logger wrote next to a sentence: a date with a time of day (of 12 hours if AM or PM follows), in
 * UTC unless another zone is stated, or a count since 1970 of ten digits (seconds) or thirteen (milliseconds). Dates must have the year first.
 *
 * @returns UTC microseconds, or NaN
 */
export function timeNextTo(text: string): number {
  const date = DATE.exec(text) ?? COMPACT.exec(text);
  if (date !== null) {
    const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = date;
    const half = HALF.exec(text.slice(date.index + date[0].length))?.[1];
    const [m, d] = [Number(month), Number(day)];
    if (m < 1 || m > 12 || d < 1 || d > 31 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
      return Number.NaN;
    const h = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
    const zone = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
    const utc = Date.UTC(Number(year), m - 1, d, h, Number(minute), Number(second)) / 1000 - zone;
    return epochUs(utc + Number(`0.${fraction || '0'}`));
  }
  // Station numbers look like seconds since 1970, so the first plausible number is used.
  const times = Array.from(text.matchAll(EPOCH), ([digits]) => epochUs(Number(digits)));
  return times.find((time) => !Number.isNaN(time)) ?? Number.NaN;
}

/** Returns whether the text contains an ambiguous date, such as 04/03/2026. */
export const isAmbiguousDate = (text: string): boolean => AMBIGUOUS.test(text);

/**
 * Period in microseconds after which the week number of GPS restarts at 0. Old receivers then report dates that are one
 * period too early.
 */
const ROLLOVER_US = 1024 * 7 * 86_400_000_000;

/**
 * Returns the time of an RMC or ZDA sentence of any talker (IEC 61162-1), in UTC microseconds. NaN if it has none: no
 * fix, a wrong checksum, or a date so old that the receiver may be 1,024 weeks behind.
 */
export function instrumentTime(text: string, nowUs: number): number {
  const [, body = '', checksum] = /^\$([^*]*)(?:\*([\dA-F]{2}))?\s*$/i.exec(text) ?? [];
  if (checksum !== undefined && Number.parseInt(checksum, 16) !== sumOf(body)) return Number.NaN;
  const fields = body.split(',');
  const [, hour, minute, second, fraction = '0'] =
    /^(\d{2})(\d{2})(\d{2})(?:\.(\d{1,6}))?$/.exec(fields[1] ?? '') ?? [];
  const date = fields[0]?.endsWith('RMC') ? rmcDate(fields) : zdaDate(fields);
  if (hour === undefined || date === null || Number(hour) > 23 || Number(minute) > 59) return Number.NaN;
  const seconds = Date.UTC(date.year, date.month - 1, date.day, Number(hour), Number(minute), Number(second)) / 1000;
  const timeUs = epochUs(seconds + Number(`0.${fraction}`));
  return timeUs < nowUs - ROLLOVER_US ? Number.NaN : timeUs;
}

type Day = { year: number; month: number; day: number };

function dayOf(day: string | undefined, month: string | undefined, year: string | undefined): Day | null {
  if (!/^\d{2}$/.test(day ?? '') || !/^\d{2}$/.test(month ?? '') || !/^\d{4}$/.test(year ?? '')) return null;
  const found = { year: Number(year), month: Number(month), day: Number(day) };
  return found.month < 1 || found.month > 12 || found.day < 1 || found.day > 31 ? null : found;
}

/** Only status A indicates a fix. */
const rmcDate = (fields: readonly string[]): Day | null =>
  fields[2] === 'A' && /^\d{6}$/.test(fields[9] ?? '')
    ? dayOf(fields[9]!.slice(0, 2), fields[9]!.slice(2, 4), `20${fields[9]!.slice(4)}`)
    : null;

const zdaDate = (fields: readonly string[]): Day | null =>
  fields[0]?.endsWith('ZDA') ? dayOf(fields[2], fields[3], fields[4]) : null;

function sumOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum ^= text.charCodeAt(index);
  return sum;
}

/**
 * Parses a `$PGHP,1,…` sentence of a Gatehouse logger, which states time and checksum of the following sentence: year,
 * month, day, hour, minute, second, millisecond, four network fields, checksum.
 */
export function gatehouseTime(text: string): { timeUs: number; checksum: number } | null {
  const fields = text.split('*')[0]!.split(',');
  if (fields[0] !== '$PGHP' || fields[1] !== '1' || fields.length < 14) return null;
  const [year, month, day, hour, minute, second, millisecond] = fields.slice(2, 9).map(Number);
  const time = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, millisecond!);
  return { timeUs: epochUs(time / 1000), checksum: Number.parseInt(fields[13]!, 16) };
}
