const DAY_US = 86_400_000_000;
const EARLIEST_US = Date.UTC(1990, 0, 1) * 1000;

/** Matches a date followed by a time of day: `20231114_221320`, `2023-11-14T22-13-20.5Z`, `DJI_20231114221320_0001`. */
const TIME =
  /(?<!\d)(19|20)(\d\d)([-._]?)(\d\d)\3(\d\d)(?:[-_. tT]{0,3})([01]\d|2[0-3])([-._:hH]?)([0-5]\d)\7([0-5]\d)(?:[.,_]?(\d{3}))?(?!\d)/;

/**
 * Returns the start time of a recording as stated in its file name, in UTC microseconds. Most names state no zone, so
 * UTC is assumed. Null if the name has no time, or one in the future or before such recordings existed.
 */
export function timeInName(name: string, uploadedUs: number): number | null {
  const found = TIME.exec(name);
  if (found === null) return null;
  const [, century, year, , month, day, hour, , minute, second, ms] = found;
  const date = [`${century}${year}`, month, day, hour, minute, second, ms ?? '0'].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [y, m, d, ...time] = date;
  const us = Date.UTC(y, m - 1, d, ...time) * 1000;
  const isDate = new Date(us / 1000).getUTCDate() === d && m >= 1 && m <= 12;
  return isDate && us >= EARLIEST_US && us <= uploadedUs + DAY_US ? us : null;
}

/** Whether the name states that its time is UTC, as `20231114T221320Z` does. */
export function isUtcByName(name: string): boolean {
  const found = TIME.exec(name);
  return found !== null && /^z(?![a-z])/i.test(name.slice(found.index + found[0].length));
}
