import { csvCells } from '../../../base/formats/csv.ts';
import { pageThumbnail } from './pdf.ts';
import { hex, isLatin, onePage } from './plain-pdf.ts';

/** Page size in points, with space for 20 lines of about 56 Courier characters. */
const WIDTH = 320;
const HEIGHT = 240;
const MARGIN = 10;
const SIZE = 9;
const LEADING = 11;
const LINES = 20;
const COLUMNS = 56;
const CELL_MAX = 16;
/** If more than this share of a text's characters is missing from the renderer's fonts, no picture of it is made. */
const FOREIGN_SHARE = 0.2;
/** Number of characters of a text that are read for its picture. */
const READ_CHARACTERS = 8000;

/**
 * Draws the beginning of a text as a small picture, in base64; the columns of a table are aligned. Returns null if the
 * text is empty or mostly in characters beyond Latin-1: the PDF renderer has built-in fonts for Latin only, and the
 * machine may have no others.
 */
export async function textPicture(text: string, content: 'text' | 'csv' | 'json'): Promise<string | null> {
  const lines = linesOf(text.slice(0, READ_CHARACTERS));
  const shown = (content === 'csv' ? columned(lines) : lines.map(withoutTabs)).map((line) => line.slice(0, COLUMNS));
  const letters = shown.join('');
  if (letters.trim() === '') return null;
  const foreign = [...letters].filter((letter) => !isLatin(letter)).length;
  if (foreign > letters.length * FOREIGN_SHARE) return null;
  return pageThumbnail(pageOf(shown, content === 'csv'));
}

const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/).slice(0, LINES);
const withoutTabs = (line: string): string => line.replaceAll('\t', '    ');

/** Splits rows into cells and pads each cell to the width of its column. */
function columned(lines: readonly string[]): string[] {
  const mark = [';', '\t', ','].find((one) => lines[0]?.includes(one)) ?? ',';
  const rows = lines.map((line) => csvCells(line, mark).map((cell) => cell.trim().slice(0, CELL_MAX)));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 1)).join(' '));
}

/** Draws lines on a PDF page. With `hasHead`, the first line is the header of a table. */
function pageOf(lines: readonly string[], hasHead: boolean): Buffer {
  const drawn = lines.map((line, index) => {
    const font = hasHead && index === 0 ? 'B' : 'F';
    return `/${font} ${SIZE} Tf <${hex(line)}> Tj T*`;
  });
  const start = `BT ${LEADING} TL ${MARGIN} ${HEIGHT - MARGIN - SIZE} Td 0.13 0.14 0.17 rg`;
  const content = `${start} ${drawn.join(' ')} ET`;
  return onePage({ width: WIDTH, height: HEIGHT, content, fonts: ['Courier', 'Courier-Bold'] });
}
