/** A spreadsheet would run such a cell as a formula; in some languages it takes the wide signs of East Asia too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

/** A number that is written with so many digits after its point. */
type Decimal = { value: number; digits: number };
/** Null, and a number that is none, is an empty cell. */
export type Cell = string | number | Decimal | boolean | null;

/**
 * One line of RFC 4180 CSV with its line end. Text that looks like a formula gets an apostrophe; numbers never do, so they
 * are not to be made texts before.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  if (typeof cell === 'object') return Number.isFinite(cell.value) ? cell.value.toFixed(cell.digits) : '';
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
