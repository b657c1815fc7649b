import { st0601Tags } from '@osprey/klv/tags';
import { type CsvHeader, csvHeader, isSeparatorLine } from './csv-header.ts';
import { createMillisecondTie, timeReader } from './csv-time.ts';
import type { SidecarRow } from './row.ts';
import { numberOf } from './text.ts';
import { setNumber } from './values.ts';

const HEADING = 5;

/** Rows of a table whose first line names its columns. A row without a time is passed over, a cell that is no value too. */
export async function* readCsv(lines: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  let header: CsvHeader | null = null;
  let ready: SidecarRow[] = [];
  const tie = createMillisecondTie<SidecarRow>((row) => ready.push(row));
  let readTime = (_cells: readonly string[]): number | null => null;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (header === null) {
      if (isSeparatorLine(line)) continue;
      header = csvHeader(line);
      if (header === null) return;
      readTime = timeReader(header.time);
      continue;
    }
    // Tables are parted by semicolons where the comma is the decimal mark.
    const plain = header.separator === ';' ? withPoint : (cell: string) => cell;
    const cells = splitLine(line, header.separator).map((cell) => plain(cell.trim()));
    const timeUs = readTime(cells);
    if (timeUs === null) continue;
    tie.add({ timeUs, values: valuesOf(cells, header) }, millisecondOf(cells, header));
    if (ready.length > 0) yield* ready;
    ready = [];
  }
  tie.end();
  yield* ready;
}

function millisecondOf(cells: readonly string[], { time }: CsvHeader): number | null {
  return time.clock === 'utc' && time.millisecond !== null ? numberOf(cells[time.millisecond]) : null;
}

function valuesOf(cells: readonly string[], { columns }: CsvHeader): SidecarRow['values'] {
  const values: SidecarRow['values'] = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    const info = column === null ? undefined : st0601Tags.get(column.tag);
    // If several columns hold one item, the first counts.
    if (column === null || info === undefined || cell === '' || values[column.tag] !== undefined) continue;
    if (info.format === 'utf8') values[column.tag] = cell.slice(0, 256);
    else setNumber(values, column.tag, scaled(column.tag, numberOf(cell), column.factor));
  }
  return values;
}

function scaled(tag: number, value: number | null, factor: number): number | null {
  if (value === null) return null;
  const number = factor === 1 ? value : value * factor;
  // Compasses count to the west below zero.
  return tag === HEADING && number < 0 && number >= -180 ? number + 360 : number;
}

const withPoint = (cell: string): string => cell.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');

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
