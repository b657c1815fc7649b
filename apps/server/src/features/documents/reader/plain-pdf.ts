type Page = {
  /** In points. */
  width: number;
  height: number;
  /** Operators of the page, in which the fonts are F and B. */
  content: string;
  /** Plain and bold. */
  fonts: readonly ['Courier' | 'Helvetica', 'Courier-Bold' | 'Helvetica-Bold'];
};

/** A PDF of one page (ISO 32000-1, 7.5) in two fonts that every renderer has. */
export function onePage({ width, height, content, fonts }: Page): Buffer {
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</Font<</F 5 0 R/B 6 0 R>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ...fonts.map(font),
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

type Text = { text: string; font: 'plain' | 'bold'; size: number; x: number; y: number };

/**
 * Operators of PDF for white text at a place. Letters beyond Latin, which the standard fonts lack, become question
 * marks.
 */
export const textOf = ({ text, font, size, x, y }: Text): string =>
  `BT 1 1 1 rg /${font === 'bold' ? 'B' : 'F'} ${size} Tf ${x} ${y.toFixed(1)} Td <${hex(text)}> Tj ET`;

/** Whether the standard fonts of PDF have this letter. */
export const isLatin = (letter: string): boolean => letter.length === 1 && letter >= ' ' && letter <= '\u00ff';

/** Hexadecimal string of PDF, so that no letter of the text acts as PDF syntax. */
export const hex = (line: string): string =>
  [...line].map((letter) => (isLatin(letter) ? letter : '?').charCodeAt(0).toString(16).padStart(2, '0')).join('');
