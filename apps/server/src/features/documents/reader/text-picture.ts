import { pageThumbnail } from './pdf.ts';

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
  const shown = (content === 'csv' ? columned(lines) : lines).map((line) => line.slice(0, COLUMNS));
  const letters = shown.join('');
  if (letters.trim() === '') return null;
  const foreign = [...letters].filter((letter) => !isLatin(letter)).length;
  if (foreign > letters.length * FOREIGN_SHARE) return null;
  return pageThumbnail(pageOf(shown, content === 'csv'));
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\n|\r/)
    .slice(0, LINES)
    .map((line) => line.replaceAll('\t', '    '));

const isLatin = (letter: string): boolean => letter.length === 1 && letter >= ' ' && letter <= '\u00ff';

/** Cells padded to the widest of their column. */
function columned(lines: readonly string[]): string[] {
  const mark = [';', '    ', ','].find((one) => lines[0]?.includes(one)) ?? ',';
  const rows = lines.map((line) => line.split(mark).map((cell) => cell.replaceAll('"', '').trim().slice(0, CELL_MAX)));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 1)).join(' '));
}

/** A PDF of one page (ISO 32000-1, 7.5), whose two fonts every renderer has; a table's first line is its head. */
function pageOf(lines: readonly string[], hasHead: boolean): Buffer {
  const drawn = lines.map((line, index) => {
    const font = hasHead && index === 0 ? 'B' : 'F';
    return `/${font} ${SIZE} Tf <${hex(line)}> Tj T*`;
  });
  const start = `BT ${LEADING} TL ${MARGIN} ${HEIGHT - MARGIN - SIZE} Td 0.13 0.14 0.17 rg`;
  const content = `${start} ${drawn.join(' ')} ET`;
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents 4 0 R/Resources<</Font<</F 5 0 R/B 6 0 R>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    font('Courier'),
    font('Courier-Bold'),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${body}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`, 'latin1');
}

/** So that nothing of the text is read as PDF. */
const hex = (line: string): string =>
  [...line].map((letter) => (isLatin(letter) ? letter : '?').charCodeAt(0).toString(16).padStart(2, '0')).join('');
