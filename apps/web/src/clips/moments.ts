const DAY_US = 86_400_000_000;

/**
 * Formats a UTC time of day as it is typed, `09:00:12.500`, with its date if that differs from the date of `nearUs`.
 */
export function momentText(timeUs: number, nearUs: number): string {
  const iso = new Date(Math.round(timeUs / 1000)).toISOString();
  const isSameDay = iso.slice(0, 10) === new Date(nearUs / 1000).toISOString().slice(0, 10);
  return isSameDay ? iso.slice(11, 23) : `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/**
 * Parses a typed time, with or without a date, and returns UTC microseconds; a time of day without a date is on or
 * after `nearUs`. Null if the text is no time.
 */
export function momentOf(text: string, nearUs: number): number | null {
  const found = /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*Z?$/.exec(text.trim());
  if (found === null) return null;
  const [, date, hours = '', minutes = '', seconds = '0', fraction = ''] = found;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const dayUs = date === undefined ? Math.floor(nearUs / DAY_US) * DAY_US : Date.parse(`${date}T00:00:00Z`) * 1000;
  if (Number.isNaN(dayUs)) return null;
  const ofDayUs =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1e6 + Number(fraction.padEnd(6, '0'));
  // For a flight past midnight: a time of day long before the start belongs to the next day.
  const isNextDay = date === undefined && dayUs + ofDayUs < nearUs - DAY_US / 2;
  return dayUs + ofDayUs + (isNextDay ? DAY_US : 0);
}
