import { csvCells } from '../../../base/formats/csv.ts';
import { pageThumbnail } from './pdf.ts';
import { hex, isLatin, onePage } from './plain-pdf.ts';

/** A page in points: room for about 56 letters of Courier in each of 20 lines. */
const WIDTH = 320;
const HEIGHT = 240;
const MARGIN = 10;
const SIZE = 9;
const LEADING = 11;
const LINES = 20;
const COLUMNS = 56;
const CELL_MAX = 16;
/** More of a text than this in letters that the renderer does not have is no picture of it. */
const FOREIGN_SHARE = 0.2;
/** No line of a picture is longer, and no more of the text is looked at. */
const LOOK = 8000;

/**
 * The beginning of a text as a small picture, base64; a table has its columns under each other. Null where it is empty,
 * or in letters beyond Latin: the renderer of PDFs has fonts of its own for those alone, and the machine may have none.
 */
export async function textPicture(text: string, content: 'text' | 'csv' | 'json'): Promise<string | null> {
  const lines = linesOf(text.slice(0, LOOK));
  const shown = (content === 'csv' ? columned(lines) : lines.map(withoutTabs)).map((line) => line.slice(0, COLUMNS));
  const letters = shown.join('');
  if (letters.trim() === '') return null;
  const foreign = [...letters].filter((letter) => !isLatin(letter)).length;
  if (foreign > letters.length * FOREIGN_SHARE) return null;
  return pageThumbnail(pageOf(shown, content === 'csv'));
}

const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/).slice(0, LINES);
const withoutTabs = (line: string): string => line.replaceAll('\t', '    ');

/** Cells padded to the widest of their column. */
function columned(lines: readonly string[]): string[] {
  const mark = [';', '\t', ','].find((one) => lines[0]?.includes(one)) ?? ',';
  const rows = lines.map((line) => csvCells(line, mark).map((cell) => cell.trim().slice(0, CELL_MAX)));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 1)).join(' '));
}

/** A page with these lines; a table's first line is its head. */
function pageOf(lines: readonly string[], hasHead: boolean): Buffer {
  const drawn = lines.map((line, index) => {
    const font = hasHead && index === 0 ? 'B' : 'F';
    return `/${font} ${SIZE} Tf <${hex(line)}> Tj T*`;
  });
  const start = `BT ${LEADING} TL ${MARGIN} ${HEIGHT - MARGIN - SIZE} Td 0.13 0.14 0.17 rg`;
  const content = `${start} ${drawn.join(' ')} ET`;
  return onePage({ width: WIDTH, height: HEIGHT, content, fonts: ['Courier', 'Courier-Bold'] });
}
