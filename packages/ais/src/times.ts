/** AIS is younger than its first year here, and a clock beyond the last is broken. UTC seconds. */
const EARLIEST_S = Date.UTC(1990, 0) / 1000;
const LATEST_S = Date.UTC(2100, 0) / 1000;

/** From this number on it counts milliseconds: as seconds it would be the year 33658. */
const MILLISECONDS_FROM = 1e12;

/** UTC microseconds of a count of seconds or milliseconds since 1970; NaN if it is no time of a receiver. */
export function epochUs(value: number): number {
  const seconds = value >= MILLISECONDS_FROM ? value / 1000 : value;
  return seconds >= EARLIEST_S && seconds < LATEST_S ? Math.round(seconds * 1e6) : Number.NaN;
}

const EPOCH = /(?<![\w.+-])(?:\d{10}(?:\.\d{1,9})?|\d{13})(?![\w.])/g;
const DATE =
  /(\d{4})[-/.](\d{2})[-/.](\d{2})[T _-]{1,2}(\d{2})[:.](\d{2})[:.](\d{2})(?:[.,](\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))?/;

/**
 * Time that a logger wrote next to a sentence: a date with a time of day, in UTC unless it says another zone, or a count since
 * 1970 of ten digits (seconds) or thirteen (milliseconds).
 *
 * @returns UTC microseconds, or NaN
 */
export function timeNextTo(text: string): number {
  const date = DATE.exec(text);
  if (date !== null) {
    const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = date;
    const [m, d] = [Number(month), Number(day)];
    if (m < 1 || m > 12 || d < 1 || d > 31 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
      return Number.NaN;
    const zone = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
    const utc = Date.UTC(Number(year), m - 1, d, Number(hour), Number(minute), Number(second)) / 1000 - zone;
    return epochUs(utc + Number(`0.${fraction || '0'}`));
  }
  // Numbers of stations look alike.
  const times = Array.from(text.matchAll(EPOCH), ([digits]) => epochUs(Number(digits)));
  return times.find((time) => !Number.isNaN(time)) ?? Number.NaN;
}

/**
 * Time and checksum of the following sentence in a `$PGHP,1,…` sentence of a Gatehouse logger: year, month, day, hour, minute,
 * second, millisecond, four fields of the network, checksum.
 */
export function gatehouseTime(text: string): { timeUs: number; checksum: number } | null {
  const fields = text.split('*')[0]!.split(',');
  if (fields[0] !== '$PGHP' || fields[1] !== '1' || fields.length < 14) return null;
  const [year, month, day, hour, minute, second, millisecond] = fields.slice(2, 9).map(Number);
  const time = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, millisecond!);
  return { timeUs: epochUs(time / 1000), checksum: Number.parseInt(fields[13]!, 16) };
}
