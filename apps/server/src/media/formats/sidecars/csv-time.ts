import { EARLIEST_US } from '@osprey/klv';
import { digitsOf, numberOf } from '../../../base/formats/numbers.ts';
import { readLastModified } from '../last-modified.ts';
import type { TimeColumns } from './csv-header.ts';

/** Numbers below this are seconds; as milliseconds they would be before 1973, when there were no such logs. */
const SECONDS_BELOW = 1e11;
/** Maximum number of rows that wait for the second to change, which relates their milliseconds to UTC. */
const WAITING_MAX = 1000;
/** Difference from which milliseconds count as restarted, as in a log of several flights, in microseconds. */
const MILLISECOND_RESTART_US = 2_000_000;
const DAY_US = 86_400_000_000;

/** Returns the time of a row in microseconds, in UTC or relative to the first row; null if it has no valid time. */
export type ReadTime = (cells: readonly string[]) => number | null;

export function timeReader(time: TimeColumns): ReadTime {
  const at = (cells: readonly string[], index: number) => cells[index] ?? '';
  if (time.clock === 'utc') return (cells) => utcOf(at(cells, time.index), time.zoneless);
  if (time.clock === 'elapsed') {
    return fromFirst((cells) => {
      const value = numberOf(at(cells, time.index));
      return value === null ? null : Math.round(value * time.unitUs);
    });
  }
  let dayUs = 0;
  let beforeUs = Number.NEGATIVE_INFINITY;
  return fromFirst((cells) => {
    const date = time.date === null ? '' : `${at(cells, time.date)} `;
    const localUs = localOf(`${date}${at(cells, time.index)}`);
    if (localUs === null) return null;
    // If there is no date, a much smaller time of day begins the next day.
    if (localUs + dayUs < beforeUs - DAY_US / 2) dayUs += DAY_US;
    beforeUs = localUs + dayUs;
    return beforeUs;
  });
}

function fromFirst(read: ReadTime): ReadTime {
  let firstUs: number | null = null;
  return (cells) => {
    const timeUs = read(cells);
    firstUs ??= timeUs;
    return timeUs === null || firstUs === null ? null : timeUs - firstUs;
  };
}

/**
 * Parses ISO 8601 with a zone, or a number since 1970: logs use seconds (with a fraction), milliseconds or
 * microseconds.
 */
export function utcOf(text: string, zoneless: boolean): number | null {
  const isSeconds = /^\d{1,11}(?:\.\d{1,9})?$/.test(text) && numberOf(text)! < SECONDS_BELOW;
  const timeUs = isSeconds ? Math.round(numberOf(text)! * 1e6) : readLastModified(plainIso(text, zoneless));
  // Small numbers are seconds from the start of a flight or of a day, not a UTC time.
  return timeUs !== null && timeUs >= EARLIEST_US ? timeUs : null;
}

/**
 * Normalizes ISO 8601: it allows a comma before the fraction and zones of whole hours, as databases write them; logs
 * write slashes in dates.
 */
function plainIso(text: string, zoneless: boolean): string {
  const iso = text
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
    .replace(/(:\d\d),(\d)/, '$1.$2')
    .replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00');
  return zoneless && /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(iso) ? `${iso.replace(' ', 'T')}Z` : iso;
}

const LOCAL =
  /^(?:(\d{4})[/-](\d{1,2})[/-](\d{1,2})|(\d{1,2})\/(\d{1,2})\/(\d{4}))? ?(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,6}))? ?([AP]M)?$/i;

/** Parses a date and time of day, or only the time, as if it were UTC, since only differences are used. */
function localOf(text: string): number | null {
  const parts = LOCAL.exec(text.trim());
  if (parts === null) return null;
  const [, y1, m1, d1, m2, d2, y2, hours, minutes, seconds, fraction = '', half] = parts;
  const hour = half === undefined ? digitsOf(hours) : (digitsOf(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  const [year, month, day] = [y1 ?? y2 ?? '1970', m1 ?? m2 ?? '1', d1 ?? d2 ?? '1'].map(digitsOf) as [
    number,
    number,
    number,
  ];
  const whole = Date.UTC(year, month - 1, day, hour, digitsOf(minutes), digitsOf(seconds));
  return whole * 1000 + digitsOf(fraction.padEnd(6, '0'));
}

/**
 * Combines UTC times in whole seconds with a column of milliseconds: the row in which the second changes relates one to
 * the other, to within one step of the log.
 */
export function createMillisecondTie<Row extends { timeUs: number }>(give: (row: Row) => void) {
  let waiting: { row: Row; ms: number }[] = [];
  let baseUs: number | null = null;

  function settle(base: number): void {
    baseUs = base;
    for (const { row, ms } of waiting) give({ ...row, timeUs: base + ms * 1000 });
    waiting = [];
  }

  return {
    add(row: Row, ms: number | null): void {
      if (ms === null) {
        give(row);
        return;
      }
      const ofRow = row.timeUs - ms * 1000;
      if (baseUs !== null) {
        if (Math.abs(baseUs - ofRow) > MILLISECOND_RESTART_US) baseUs = ofRow;
        give({ ...row, timeUs: baseUs + ms * 1000 });
        return;
      }
      const [first] = waiting;
      waiting.push({ row, ms });
      if (first !== undefined && row.timeUs !== first.row.timeUs) settle(ofRow);
      else if (waiting.length >= WAITING_MAX) settle(first!.row.timeUs - first!.ms * 1000);
    },
    end(): void {
      const [first] = waiting;
      if (first !== undefined) settle(first.row.timeUs - first.ms * 1000);
    },
  };
}
