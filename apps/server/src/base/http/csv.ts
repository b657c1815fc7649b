/**
 * First characters that make a spreadsheet evaluate a cell as a formula. In some languages this includes the full-width
 * signs of East Asia.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

/** A number formatted with this many digits after the decimal point. */
type Decimal = { value: number; digits: number };
/** Null and NaN become an empty cell. */
export type Cell = string | number | Decimal | boolean | null;

/**
 * Formats one line of RFC 4180 CSV with its line end. Text that looks like a formula is prefixed with an apostrophe.
 * Numbers never are, so callers must not convert numbers to text.
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
