import { EARLIEST_US } from '@osprey/klv';
import { st0601Tags } from '@osprey/klv/tags';
import { readLastModified } from '../last-modified.ts';
import { type CsvHeader, csvHeader, isSeparatorLine } from './detect.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';

/** Below it a number is seconds; as milliseconds it would lie before 1973, when nothing of ST 0601 was recorded. */
const SECONDS_BELOW = 1e11;

/** Rows of a table whose first line names its columns. A row without a time is passed over, a cell that is no value too. */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  let header: CsvHeader | null = null;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (header === null) {
      if (isSeparatorLine(line)) continue;
      header = csvHeader(line);
      if (header === null) return;
      continue;
    }
    const cells = splitLine(line, header.separator).map((cell) => cell.trim());
    // Tables are parted by semicolons where the comma is the decimal mark.
    const plain = header.separator === ';' ? withPoint : (cell: string) => cell;
    const timeUs = readTime(plain(cells[header.time] ?? ''));
    if (timeUs === null) continue;
    yield { timeUs, values: valuesOf(cells, header, plain) };
  }
}

/** ISO 8601 with a zone, or a number since 1970: logs count in seconds (with a fraction), milliseconds or microseconds. */
function readTime(text: string): number | null {
  const isSeconds = /^\d{1,11}(?:\.\d{1,9})?$/.test(text) && Number(text) < SECONDS_BELOW;
  const timeUs = isSeconds ? Math.round(Number(text) * 1e6) : readLastModified(plainIso(text));
  // Seconds from the start of a flight, or of a day, are no time.
  return timeUs !== null && timeUs >= EARLIEST_US ? timeUs : null;
}

/** ISO 8601 knows a comma before the fraction, and zones of whole hours, as databases write them. */
const plainIso = (text: string): string =>
  text.replace(/(:\d\d),(\d)/, '$1.$2').replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00');

function valuesOf(
  cells: readonly string[],
  { tags }: CsvHeader,
  plain: (cell: string) => string,
): SidecarRow['values'] {
  const values: SidecarRow['values'] = {};
  for (const [index, tag] of tags.entries()) {
    const cell = cells[index] ?? '';
    const info = tag === null ? undefined : st0601Tags.get(tag);
    if (tag === null || info === undefined || cell === '') continue;
    if (info.format === 'utf8') values[tag] = cell.slice(0, 256);
    else setNumber(values, tag, numberOf(plain(cell)));
  }
  return values;
}

const withPoint = (cell: string): string => cell.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');

/** Only what the standard can hold: anything else would show a place that nobody was at. */
export function setNumber(values: SidecarRow['values'], tag: number, value: number | null): void {
  const info = st0601Tags.get(tag);
  if (value === null || info === undefined) return;
  const { min, max } = info;
  if ((min !== null && value < min) || (max !== null && value > max)) return;
  values[tag] = value;
}

/** Cells of one line; a quoted cell may hold the separator and doubled quotes. */
export const splitLine = (line: string, separator: string): string[] => splitTable(line, separator).rows[0] ?? [];

/** Rows of a whole table: a quoted cell may hold ends of lines too. `isOpen`: the last one is quoted without an end. */
export function splitTable(text: string, separator: string): { rows: string[][]; isOpen: boolean } {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quoted && char === '"' && text[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (char === '"' && (quoted || cell.trim() === '')) {
      quoted = !quoted;
    } else if ((char === separator || char === '\n') && !quoted) {
      cells.push(cell);
      cell = '';
      if (char === separator) continue;
      rows.push(cells);
      cells = [];
    } else cell += char;
  }
  cells.push(cell);
  rows.push(cells);
  return { rows, isOpen: quoted };
}
