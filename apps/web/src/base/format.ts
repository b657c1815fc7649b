/** Shown for a value that is not there. */
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

/** UTC microseconds as "Nov 14 2023, 22:13" (the specification's MMM DD YYYY, HH:mm); a dash for none. */
export function formatTime(timeUs: number | null): string {
  if (timeUs === null) return NONE;
  const { month, day, year, hour, minute } = partsOf(dateTime, timeUs);
  return `${month} ${day} ${year}, ${hour}:${minute}`;
}

/** The same with seconds: "Nov 14 2023, 22:13:20". */
export const formatTimeSeconds = (timeUs: number): string => `${formatDate(timeUs)}, ${formatClock(timeUs)}`;

/** The date alone, UTC: "Nov 14 2023". */
export function formatDate(timeUs: number): string {
  const { month, day, year } = partsOf(dateTime, timeUs);
  return `${month} ${day} ${year}`;
}

/** The time of day, UTC, with seconds: "22:13:20". */
export function formatClock(timeUs: number): string {
  const { hour, minute, second } = partsOf(dateTime, timeUs);
  return `${hour}:${minute}:${second}`;
}

/** The same to the millisecond: "22:13:20.500". */
export function formatClockMs(timeUs: number): string {
  const ms = Math.floor((((timeUs % 1_000_000) + 1_000_000) % 1_000_000) / 1000);
  return `${formatClock(timeUs)}.${String(ms).padStart(3, '0')}`;
}

/** The same moment in the zone of the reader's machine: "Nov 14 2023, 23:13 GMT+1". */
export function formatLocalTime(timeUs: number | null): string {
  if (timeUs === null) return NONE;
  const { month, day, year, hour, minute, timeZoneName } = partsOf(localDateTime, timeUs);
  return `${month} ${day} ${year}, ${hour}:${minute} ${timeZoneName}`;
}

/** Thin spaces between thousands, a fixed number of decimals: "12 480.6"; a dash for none. */
export function formatNumber(value: number | null | undefined, decimals = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : '';
  return fraction === undefined ? `${sign}${grouped}` : `${sign}${grouped}.${fraction}`;
}

export type Counted = { one: string; many: string };

/** The unit after a number that is drawn apart. */
export const unitOf = (count: number | undefined, { one, many }: Counted): string => (count === 1 ? one : many);

/** A number with its word in singular or plural: "1 file", "12 480 files". */
export const formatCount = (count: number, words: Counted): string =>
  fill(unitOf(count, words), { count: formatNumber(count) });

/** Formats the number found, and the total if a filter hides some; empty while unknown. */
export function formatFound(count: number | null, all: number | null, words: Counted & { of: string }): string {
  if (count === null) return '';
  if (all === null) return formatCount(count, words);
  return fill(words.of, { count: formatNumber(count), all: formatNumber(all) });
}

/** Square kilometres with one decimal. */
export const formatArea = (areaSqKm: number): string => `${formatNumber(areaSqKm, 1)} sq. km`;

/**
 * The part that was sent, as a number, and the whole size with its unit: "1 024" and "2 148 MB"; "0.3" and "2.4 MB" below 10 MB,
 * "3" and "12 kB" below 1 MB.
 */
export function formatProgress(sentBytes: number, sizeBytes: number): [sent: string, size: string] {
  const isSmall = sizeBytes < 1e6;
  const decimals = !isSmall && sizeBytes < 1e7 ? 1 : 0;
  // Rounded up, so that no file has 0 kB.
  const number = (bytes: number) => formatNumber(isSmall ? Math.ceil(bytes / 1e3) : bytes / 1e6, decimals);
  return [number(sentBytes), `${number(sizeBytes)} ${isSmall ? 'kB' : 'MB'}`];
}

/** Bytes in the largest unit that keeps the number readable: "8.4 GB". */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)} ${units[step]}`;
}

/** Seconds as "52 s", "3 min", "6:40" for a clock is `formatDuration`. */
export function formatRemaining(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${formatNumber(seconds / 3600, 1)} h`;
}

/** Seconds as "6:40" or "1:06:40". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Fills the `{placeholders}` of a text. */
export function fill(text: string, values: Record<string, string | number | null>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** Control characters but line breaks and tabs, and marks that turn the direction of what follows (UAX #9). */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

/** Text of others as it is, without characters that change how it reads: invisible ones are written as \u202E. */
export function plainText(text: string): string {
  return text.replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

const NAMES_SHOWN = 5;

/** The first names, and how many more there are. */
export function namesText(things: readonly { name: string }[]): string {
  const names = things
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => name)
    .join(', ');
  const more = things.length - NAMES_SHOWN;
  return more > 0 ? `${names} and ${formatNumber(more)} more` : names;
}
