import { csvCells } from '../../../base/formats/csv.ts';
import { type Column, columnOf, plain, withoutUnit } from './columns.ts';

/** Indexes of the columns that contain the time of a row. */
export type TimeColumns =
  /**
   * UTC. `zoneless`: values without a zone are UTC too. `millisecond`: a column that counts from an unknown start, with
   * a finer resolution than `index`.
   */
  | { clock: 'utc'; index: number; zoneless: boolean; millisecond: number | null }
  /** Date and time in an unknown time zone; the date may be in a separate column. */
  | { clock: 'local'; index: number; date: number | null }
  /** Time counted from the start of the log, in units of `unitUs` microseconds. */
  | { clock: 'elapsed'; index: number; unitUs: number };

export type CsvHeader = {
  separator: string;
  time: TimeColumns;
  /** The item of each column; null if the column is no item of ST 0601. */
  columns: (Column | null)[];
};

/** Common column separators; the header decides which one is used. */
const SEPARATORS = [',', ';', '\t'] as const;

/** Line that spreadsheets write before the header to state the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\s*$/i;

/** Returns whether a line states the separator of the table below it. */
export const isSeparatorLine = (line: string): boolean => SEPARATOR_LINE.test(line);

const TIME_TAG = 2;
const ALTITUDE = 15;

/** Names of columns with UTC times. For each value, the zone is checked and the unit is determined. */
const UTC_NAMES = new Set(['time', 'timestamp', 'datetime', 'utc', 'utctime', 'timeutc', 'unixtimestamp']);
const UTC_UNITS = new Set([null, 'utc', 's', 'ms', 'us', 'µs', 'seconds', 'milliseconds', 'microseconds']);
/** Names used by DJI flight records converted to CSV, and by DatCon: ISO 8601 in UTC. */
const UTC_LOG_NAMES = new Set(['customdatetime', 'gpsdatetimestamp']);

/** Reads the header of a table with a time column and at least one item of ST 0601; null for any other text. */
export function csvHeader(text: string): CsvHeader | null {
  const [first = '', second = ''] = text.split(/\r\n|\n|\r/, 2);
  const line = isSeparatorLine(first) ? second : first;
  for (const separator of SEPARATORS) {
    const heads = csvCells(line, separator).map((cell) => cell.trim());
    const time = timeColumns(heads);
    if (time === null) continue;
    const known = heads.map((head, index) => (index === time.index ? null : columnOf(head)));
    // In logs of Airdata and Litchi, a plain `altitude` is relative to the take-off point.
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

/** Name of the column `time(millisecond)`, which counts from the start of a log of Airdata or Litchi. */
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
