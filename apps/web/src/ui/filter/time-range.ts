import { fill, formatClock, formatDate } from '../../base/format.ts';
import { texts } from '../texts.ts';

/** Typed input: a day as YYYY-MM-DD and a time as HH:mm, both UTC; empty means open. */
export type TimeEntry = { day: string; clock: string };

const words = texts.filters;

export function entryOf(timeUs: number | null): TimeEntry {
  if (timeUs === null) return { day: '', clock: '' };
  return { day: new Date(timeUs / 1000).toISOString().slice(0, 10), clock: formatClock(timeUs).slice(0, 5) };
}

type Checked = { timeUs: number | null; problem: string | null };

const MINUTE_US = 60_000_000;
/** Smallest time unit in an address, in microseconds. */
const MILLISECOND_US = 1000;

/**
 * Checks one end of the range. Without a time, a start is 00:00 and an end 23:59 of its day. A time in the future is
 * refused, except the end of today, which becomes the current time. An end includes its whole minute.
 */
export function checkEntry({ day, clock }: TimeEntry, end: 'start' | 'end', nowUs: number): Checked {
  if (day === '' && clock === '') return { timeUs: null, problem: null };
  if (day === '') return { timeUs: null, problem: words.dateBad };
  const fallback = end === 'start' ? '00:00' : '23:59';
  const text = clock === '' ? fallback : clock.padStart(5, '0');
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return { timeUs: null, problem: words.timeBad };
  const minuteUs = Date.parse(`${day}T${text}:00Z`) * 1000;
  if (!Number.isFinite(minuteUs)) return { timeUs: null, problem: words.dateBad };
  // The end of today is in the future, but today is allowed as an end.
  const isToday = clock === '' && end === 'end' && day === entryOf(nowUs).day;
  if (minuteUs > nowUs && !isToday) return { timeUs: null, problem: words.future };
  return { timeUs: end === 'start' ? minuteUs : Math.min(minuteUs + MINUTE_US - MILLISECOND_US, nowUs), problem: null };
}

export type RangeCheck = {
  start: number | null;
  end: number | null;
  problems: { start: string | null; end: string | null };
  valid: boolean;
};

export function checkRange(from: TimeEntry, to: TimeEntry, nowUs: number): RangeCheck {
  const start = checkEntry(from, 'start', nowUs);
  const end = checkEntry(to, 'end', nowUs);
  const reversed = start.timeUs !== null && end.timeUs !== null && end.timeUs < start.timeUs;
  const problems = { start: start.problem, end: end.problem ?? (reversed ? words.order : null) };
  return {
    start: start.timeUs,
    end: end.timeUs,
    problems,
    valid: problems.start === null && problems.end === null,
  };
}

/** Formats a time as "Oct 28 2026, 14:00", or as the day alone if the time is midnight. */
export function shortTime(timeUs: number): string {
  const clock = formatClock(timeUs).slice(0, 5);
  return clock === '00:00' ? formatDate(timeUs) : `${formatDate(timeUs)}, ${clock}`;
}

/** Text of a time filter's chip; null if both ends are open. */
export function rangeText({ start, end }: { start: number | null; end: number | null }): string | null {
  if (start !== null && end !== null) return fill(words.range, { start: shortTime(start), end: shortTime(end) });
  if (start !== null) return fill(words.since, { start: shortTime(start) });
  return end === null ? null : fill(words.until, { end: shortTime(end) });
}
