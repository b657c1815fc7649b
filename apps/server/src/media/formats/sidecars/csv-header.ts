import { csvCells } from '../../../base/formats/csv.ts';
import { type Column, columnOf, plain, withoutUnit } from './columns.ts';

/** The columns with the time of a row, by their index. */
export type TimeColumns =
  /** UTC; `zoneless`: what has no zone is UTC too. `millisecond` counts from somewhere, finer than the seconds of `index`. */
  | { clock: 'utc'; index: number; zoneless: boolean; millisecond: number | null }
  /** The date and time of an unnamed place; the date may be in a column of its own. */
  | { clock: 'local'; index: number; date: number | null }
  /** Counted from the start of the log, in units of `unitUs` microseconds. */
  | { clock: 'elapsed'; index: number; unitUs: number };

export type CsvHeader = {
  separator: string;
  time: TimeColumns;
  /** The item of each column; null if it is no item of ST 0601. */
  columns: (Column | null)[];
};

/** The separators of tables that people write; the header decides which. */
const SEPARATORS = [',', ';', '\t'] as const;

/** Line of spreadsheets before the header that names the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\s*$/i;

/** Whether a line names the separator of the table below it. */
export const isSeparatorLine = (line: string): boolean => SEPARATOR_LINE.test(line);

const TIME_TAG = 2;
const ALTITUDE = 15;

/** The zone is checked, and the unit derived, for each value. */
const UTC_NAMES = new Set(['time', 'timestamp', 'datetime', 'utc', 'utctime', 'timeutc', 'unixtimestamp']);
const UTC_UNITS = new Set([null, 'utc', 's', 'ms', 'us', 'µs', 'seconds', 'milliseconds', 'microseconds']);
/** DJI flight records turned into CSV, and DatCon: ISO 8601 in UTC. */
const UTC_LOG_NAMES = new Set(['customdatetime', 'gpsdatetimestamp']);

/** The header of a table with a column of time and at least one item of ST 0601; null for every other beginning. */
export function csvHeader(text: string): CsvHeader | null {
  const [first = '', second = ''] = text.split(/\r\n|\n|\r/, 2);
  const line = isSeparatorLine(first) ? second : first;
  for (const separator of SEPARATORS) {
    const heads = csvCells(line, separator).map((cell) => cell.trim());
    const time = timeColumns(heads);
    if (time === null) continue;
    const known = heads.map((head, index) => (index === time.index ? null : columnOf(head)));
    // Airdata and Litchi count a plain `altitude` from the take-off point.
    const isHeight = (index: number) => isMillisecond(heads) && plain(heads[index]!).startsWith('altitude');
    const columns = known.map((column, index) =>
      column?.tag === TIME_TAG || (column?.tag === ALTITUDE && isHeight(index) && !isAboveSea(heads[index]!))
        ? null
        : column,
    );
    if (columns.some((column) => column !== null)) return { separator, time, columns };
  }
  return null;
}

const isAboveSea = (head: string): boolean => /sea_?level|msl/i.test(head);

/** `time(millisecond)` counts from the start of a log of Airdata or Litchi. */
const MILLISECOND = 'timemillisecond';
const isMillisecond = (heads: readonly string[]): boolean => heads.some((head) => plain(head) === MILLISECOND);

function timeColumns(heads: readonly string[]): TimeColumns | null {
  const find = (test: (head: string) => boolean): number | null => {
    const index = heads.findIndex(test);
    return index < 0 ? null : index;
  };
  const millisecond = find((head) => plain(head) === MILLISECOND);
  const utc = find(isPrecisionTimeStamp) ?? find(isUtc);
  if (utc !== null) return { clock: 'utc', index: utc, zoneless: saysUtc(heads[utc]!), millisecond };
  const local = find((head) => /^CUSTOM\.updateTime(?: ?\[local\])?$|^datetime ?\(local\)$/i.test(head));
  const date = find((head) => /^CUSTOM\.date ?\[local\]$/i.test(head));
  if (local !== null) return { clock: 'local', index: local, date };
  const flight = find((head) => /^(?:OSD\.flyTime ?\[s\]|(?:Clock:)?offsetTime)$/i.test(head));
  if (flight !== null) return { clock: 'elapsed', index: flight, unitUs: 1_000_000 };
  return millisecond === null ? null : { clock: 'elapsed', index: millisecond, unitUs: 1000 };
}

function isPrecisionTimeStamp(head: string): boolean {
  const { name, unit } = withoutUnit(head);
  return columnOf(name)?.tag === TIME_TAG && UTC_UNITS.has(unit);
}

function isUtc(head: string): boolean {
  const { name, unit } = withoutUnit(head);
  if (UTC_LOG_NAMES.has(plain(name))) return true;
  return UTC_NAMES.has(plain(name)) && UTC_UNITS.has(unit);
}

const saysUtc = (head: string): boolean => /utc/i.test(head) || UTC_LOG_NAMES.has(plain(head));
