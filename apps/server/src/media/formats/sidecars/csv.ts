import { st0601Tags } from '@osprey/klv/tags';
import { readCsvRows } from '../../../base/formats/csv.ts';
import { numberOf } from '../../../base/formats/numbers.ts';
import { LINE_MAX } from '../../../base/formats/text.ts';
import { type CsvHeader, isSeparatorLine } from './csv-header.ts';
import { createMillisecondTie, timeReader } from './csv-time.ts';
import type { SidecarRow } from './row.ts';
import { setNumber } from './values.ts';

const HEADING = 5;

/** Yields the rows below the header of a table. Rows without a time and invalid cells are skipped. */
export async function* readCsv(pieces: AsyncIterable<string>, header: CsvHeader): AsyncGenerator<SidecarRow> {
  let isBelow = false;
  let ready: SidecarRow[] = [];
  const tie = createMillisecondTie<SidecarRow>((row) => ready.push(row));
  const readTime = timeReader(header.time);
  // Tables separated by semicolons use the comma as decimal mark.
  const plain = header.separator === ';' ? withPoint : (cell: string) => cell;
  const options = { separator: header.separator, linesInCells: false, rowMax: LINE_MAX };
  for await (const { cells: read } of readCsvRows(pieces, options)) {
    const cells = read.map((cell) => plain(cell.trim()));
    if (cells.every((cell) => cell === '')) continue;
    if (!isBelow) {
      isBelow = !isSeparatorLine(read.join(header.separator));
      continue;
    }
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
    // If several columns contain the same item, the first one is used.
    if (column === null || info === undefined || cell === '' || values[column.tag] !== undefined) continue;
    if (info.format === 'utf8') values[column.tag] = cell.slice(0, 256);
    else setNumber(values, column.tag, scaled(column.tag, numberOf(cell), column.factor));
  }
  return values;
}

function scaled(tag: number, value: number | null, factor: number): number | null {
  if (value === null) return null;
  const number = factor === 1 ? value : value * factor;
  // Logs give western headings as negative numbers.
  return tag === HEADING && number < 0 && number >= -180 ? number + 360 : number;
}

const withPoint = (cell: string): string => cell.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
