import { z } from 'zod';
import { beneath, sizeOf } from './image.ts';
import { pageBitmap } from './pdf.ts';
import { onePage, textOf } from './plain-pdf.ts';

/** Text of the strip below a picture: the label, its colour, and a line about the picture. */
export const stripWords = z.object({
  label: z.string(),
  colour: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  line: z.string(),
});
export type StripWords = z.output<typeof stripWords>;

/** Font size for a picture of this width, within legible limits. */
const sizeFor = (width: number): number => Math.min(64, Math.max(9, Math.round(width / 48)));
/** Approximate width of a Helvetica letter, as a fraction of its height. */
const LETTER = 0.58;
const LETTER_MIN = 5;
const FONTS = ['Helvetica', 'Helvetica-Bold'] as const;

/** Adds a strip below the picture, covering nothing of it, and encodes the result as JPEG. */
export async function withStrip(bytes: Buffer, { label, colour, line }: StripWords): Promise<Buffer> {
  const { width } = await sizeOf(bytes);
  const size = sizeFor(width);
  const pad = Math.round(size * 0.7);
  const row = Math.round(size * 1.8);
  const fitting = (text: string) =>
    Math.max(LETTER_MIN, Math.min(size, Math.floor((width - 2 * pad) / (Math.max(1, text.length) * LETTER))));
  const baseline = (bottom: number, own: number) => bottom + (row - own) / 2 + own * 0.22;
  const [labelSize, lineSize] = [fitting(label), fitting(line)];
  const drawn = [
    `${channels(colour)} rg 0 ${row} ${width} ${row} re f`,
    `0.07 0.09 0.12 rg 0 0 ${width} ${row} re f`,
    textOf({ text: label, font: 'bold', size: labelSize, x: pad, y: baseline(row, labelSize) }),
    textOf({ text: line, font: 'plain', size: lineSize, x: pad, y: baseline(0, lineSize) }),
  ];
  const page = onePage({ width, height: 2 * row, content: drawn.join('\n'), fonts: FONTS });
  return beneath(bytes, await pageBitmap(page, width, 2 * row));
}

/** Converts a colour to three numbers from 0 to 1, as PDF requires. */
const channels = (colour: string): string =>
  [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ');
