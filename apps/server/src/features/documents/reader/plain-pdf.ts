type Page = {
  /** Page size in points. */
  width: number;
  height: number;
  /** Content stream of the page; the names of its fonts are F (plain) and B (bold). */
  content: string;
  /** The plain and the bold font. */
  fonts: readonly ['Courier' | 'Helvetica', 'Courier-Bold' | 'Helvetica-Bold'];
};

/** Creates a PDF of one page (ISO 32000-1, 7.5) in two of the standard fonts, which every renderer has. */
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
 * PDF operators that draw white text at a position. Characters beyond Latin-1, which the standard fonts lack, become
 * question marks.
 */
export const textOf = ({ text, font, size, x, y }: Text): string =>
  `BT 1 1 1 rg /${font === 'bold' ? 'B' : 'F'} ${size} Tf ${x} ${y.toFixed(1)} Td <${hex(text)}> Tj ET`;

/** Returns whether the standard PDF fonts contain this character. */
export const isLatin = (letter: string): boolean => letter.length === 1 && letter >= ' ' && letter <= '\u00ff';

/** Encodes text as a hexadecimal PDF string, so that none of its characters acts as PDF syntax. */
export const hex = (line: string): string =>
  [...line].map((letter) => (isLatin(letter) ? letter : '?').charCodeAt(0).toString(16).padStart(2, '0')).join('');
