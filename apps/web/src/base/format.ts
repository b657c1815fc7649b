/** Text shown for a missing value. */
export const NONE = '–';

const dateTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const localDateTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

type Parts = Record<string, string>;

const partsOf = (format: Intl.DateTimeFormat, timeUs: number): Parts =>
  Object.fromEntries(format.formatToParts(timeUs / 1000).map(({ type, value }) => [type, value]));

/** Formats UTC microseconds as "Nov 14 2023, 22:13" (MMM DD YYYY, HH:mm in the specification); a dash for null. */
export function formatTime(timeUs: number | null): string {
  if (timeUs === null) return NONE;
  const { month, day, year, hour, minute } = partsOf(dateTime, timeUs);
  return `${month} ${day} ${year}, ${hour}:${minute}`;
}

/** Formats UTC microseconds with seconds: "Nov 14 2023, 22:13:20". */
export const formatTimeSeconds = (timeUs: number): string => `${formatDate(timeUs)}, ${formatClock(timeUs)}`;

/** Formats only the UTC date: "Nov 14 2023". */
export function formatDate(timeUs: number): string {
  const { month, day, year } = partsOf(dateTime, timeUs);
  return `${month} ${day} ${year}`;
}

/** Formats the UTC time of day with seconds: "22:13:20". */
export function formatClock(timeUs: number): string {
  const { hour, minute, second } = partsOf(dateTime, timeUs);
  return `${hour}:${minute}:${second}`;
}

/** Formats the UTC time of day with milliseconds: "22:13:20.500". */
export function formatClockMs(timeUs: number): string {
  const ms = Math.floor((((timeUs % 1_000_000) + 1_000_000) % 1_000_000) / 1000);
  return `${formatClock(timeUs)}.${String(ms).padStart(3, '0')}`;
}

/** Formats a time in the time zone of the user's machine: "Nov 14 2023, 23:13 GMT+1". */
export function formatLocalTime(timeUs: number | null): string {
  if (timeUs === null) return NONE;
  const { month, day, year, hour, minute, timeZoneName } = partsOf(localDateTime, timeUs);
  return `${month} ${day} ${year}, ${hour}:${minute} ${timeZoneName}`;
}

/**
 * Formats a number with thin spaces between thousands and a fixed number of decimals: "12 480.6"; a dash for a missing
 * number.
 */
export function formatNumber(value: number | null | undefined, decimals = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : '';
  return fraction === undefined ? `${sign}${grouped}` : `${sign}${grouped}.${fraction}`;
}

export type Counted = { one: string; many: string };

/** Returns the unit for a number that is displayed separately, in singular or plural. */
export const unitOf = (count: number | undefined, { one, many }: Counted): string => (count === 1 ? one : many);

/** Formats a number with its noun in singular or plural: "1 file", "12 480 files". */
export const formatCount = (count: number, words: Counted): string =>
  fill(unitOf(count, words), { count: formatNumber(count) });

/** Formats the number of rows found, with the total if a filter hides some rows; empty while unknown. */
export function formatFound(count: number | null, all: number | null, words: Counted & { of: string }): string {
  if (count === null) return '';
  if (all === null) return formatCount(count, words);
  return fill(words.of, { count: formatNumber(count), all: formatNumber(all) });
}

/** Formats an area in square kilometres with one decimal. */
export const formatArea = (areaSqKm: number): string => `${formatNumber(areaSqKm, 1)} sq. km`;

/**
 * Formats the progress of an upload: the amount sent as a number, and the total size with its unit. Examples: "1 024"
 * and "2 148 MB"; below 10 MB "0.3" and "2.4 MB"; below 1 MB "3" and "12 kB".
 */
export function formatProgress(sentBytes: number, sizeBytes: number): [sent: string, size: string] {
  const isSmall = sizeBytes < 1e6;
  const decimals = !isSmall && sizeBytes < 1e7 ? 1 : 0;
  // Rounded up, so that no file is shown with 0 kB.
  const number = (bytes: number) => formatNumber(isSmall ? Math.ceil(bytes / 1e3) : bytes / 1e6, decimals);
  return [number(sentBytes), `${number(sizeBytes)} ${isSmall ? 'kB' : 'MB'}`];
}

/** Formats a number of bytes in the largest unit that keeps the number at 1 or more: "8.4 GB". */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)} ${units[step]}`;
}

/**
 * Formats a remaining time in seconds as "52 s", "3 min" or "1.5 h". For a clock format such as "6:40", use
 * `formatDuration`.
 */
export function formatRemaining(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${formatNumber(seconds / 3600, 1)} h`;
}

/** Formats a number of seconds as "6:40" or "1:06:40". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

/** Replaces the `{placeholders}` in a text with values. */
export function fill(text: string, values: Record<string, string | number | null>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** Matches control characters except line breaks and tabs, and characters that change the text direction (UAX #9). */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

/**
 * Returns a text written by other users with its invisible characters made visible: each is written as an escape such
 * as \u202E, so that it cannot change how the text reads.
 */
export function plainText(text: string): string {
  return text.replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

const NAMES_SHOWN = 5;

/** Returns the first names, and how many more there are. */
export function namesText(things: readonly { name: string }[]): string {
  const names = things
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => name)
    .join(', ');
  const more = things.length - NAMES_SHOWN;
  return more > 0 ? `${names} and ${formatNumber(more)} more` : names;
}
