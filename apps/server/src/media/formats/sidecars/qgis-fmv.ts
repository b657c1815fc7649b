import { st0601Tags } from '@osprey/klv/tags';
import { csvCells } from '../../../base/formats/csv.ts';
import { digitsOf, numberOf } from '../../../base/formats/numbers.ts';
import { utcOf } from './csv-time.ts';
import type { SidecarRow } from './row.ts';
import { setNumber } from './values.ts';

const TIME_TAG = 2;
const LINES_MAX = 1000;

/**
 * Header of the metadata of one moment as saved by QGIS FMV: one line per item, with its tag, its name and its value.
 */
const HEADER = /^"?key"?([,;])"?name"?\1"?value"?\s*$/im;

export const isQgisFmv = (text: string): boolean => HEADER.test(text.slice(0, 2048));

/** Yields the single record of such a table; its time is UTC. */
export async function* readQgisFmv(lines: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  const values: SidecarRow['values'] = {};
  let separator: string | null = null;
  let timeUs: number | null = null;
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (count > LINES_MAX) return;
    separator ??= HEADER.exec(line)?.[1] ?? null;
    if (separator === null) continue;
    const [key = '', , value = ''] = csvCells(line, separator).map((cell) => cell.trim());
    const info = /^\d{1,3}$/.test(key) ? st0601Tags.get(digitsOf(key)) : undefined;
    if (info === undefined || value === '') continue;
    if (info.tag === TIME_TAG) timeUs = utcOf(value, true);
    else if (info.format === 'utf8') values[info.tag] = value.slice(0, 256);
    else setNumber(values, info.tag, numberOf(value));
  }
  if (timeUs !== null) yield { timeUs, values };
}
