import { type ListedShip, SHIP_LIST_SHIPS_MAX, SHIP_NOTE_MAX } from '@osprey/contract';
import { csvRows } from '@osprey/contract/csv';

/** Result of reading a CSV file. `wrong`: number of lines without an MMSI, not counting the header. */
export type ShipsOfCsv = { ships: ListedShip[]; wrong: number };

const SEPARATORS = [',', ';', '\t'] as const;
/** Headers of columns that may hold notes, in order of preference. */
const NOTE_HEADS = ['note', 'notes', 'remark', 'remarks', 'comment', 'name', 'shipname', 'vessel name'];
/** Matches the apostrophe that an export inserts before text that a spreadsheet could take for a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

/**
 * Reads the ships in a CSV file. With a header line, the columns are `mmsi` and one of those for notes or names;
 * without a header, the number is in the first column and a note in the second. Fields are separated by comma,
 * semicolon or tab, and may be quoted according to RFC 4180. A ship that occurs twice is counted once.
 */
export function readShipsCsv(text: string): ShipsOfCsv {
  const [head = [], ...body] = rowsOf(text.replace(/^\ufeff/, ''));
  const names = head.map((cell) => cell.trim().toLowerCase());
  const mmsiAt = names.indexOf('mmsi');
  const noteHead = NOTE_HEADS.find((one) => names.includes(one)) ?? null;
  const noteAt = mmsiAt < 0 ? 1 : noteHead === null ? -1 : names.indexOf(noteHead);
  const rows = mmsiAt < 0 ? [head, ...body] : body;
  const ships = new Map<number, ListedShip>();
  let wrong = 0;
  for (const row of rows) {
    if (row.every((cell) => cell.trim() === '')) continue;
    const digits = (row[Math.max(0, mmsiAt)] ?? '').replace(/[\s\u202f']/g, '');
    const mmsi = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
    if (mmsi === 0) wrong += 1;
    else ships.set(mmsi, { mmsi, note: noteOf(row[noteAt] ?? '') });
    // Stop here: this is enough to detect that there are too many ships.
    if (ships.size > SHIP_LIST_SHIPS_MAX) break;
  }
  return { ships: [...ships.values()], wrong };
}

const noteOf = (cell: string): string =>
  cell
    .replace(GUARD, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SHIP_NOTE_MAX)
    .trim();

function rowsOf(text: string): string[][] {
  const line = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => line.split(separator).length;
  const separator = SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
  return csvRows(text, { separator, linesInCells: true }).map(({ cells }) => cells);
}
