import { type ListedShip, SHIP_LIST_SHIPS_MAX, SHIP_NOTE_MAX } from '@osprey/contract';
import { csvRows } from '@osprey/contract/csv';

/** `wrong`: lines without an MMSI, the head apart. */
export type ShipsOfCsv = { ships: ListedShip[]; wrong: number };

const SEPARATORS = [',', ';', '\t'] as const;
/** Heads of a column with notes, the best first. */
const NOTE_HEADS = ['note', 'notes', 'remark', 'remarks', 'comment', 'name', 'shipname', 'vessel name'];
/** The apostrophe that a spreadsheet-safe export puts before what looks like a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

/**
 * Ships of a CSV file: with a head, by its column `mmsi` and one of notes or names; without, the number is in the first column
 * and a note in the second. Separated by comma, semicolon or tab (RFC 4180 quotes). A ship that comes twice counts once.
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
    // Enough to see that there are too many.
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
