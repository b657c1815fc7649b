/** Kind of a file by its first bytes, or the reason why it is refused. */
export type Signed = { kind: 'archive' | 'mp4' | 'mkv' } | { refused: string };

export const startsWith = (bytes: Uint8Array, ...signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

const textAt = (bytes: Uint8Array, start: number, text: string): boolean =>
  startsWith(bytes.subarray(start, start + text.length), ...Buffer.from(text, 'latin1'));

/** Box types with which files of ISO/IEC 14496-12 and QuickTime begin. */
const FIRST_BOXES = ['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'];
/** Prefixes of brands that mark still pictures (ISO/IEC 23008-12, 10; AVIF, 6) and raw pictures. */
const PICTURE_BRANDS = /^(?:hei[cxms]|hev[cx]|mif[12]|msf1|avi[fs]|crx )/;
const MP4_HEAD = 16;

const convert = 'convert it to MP4 with H.264 first';
const document = 'it can be added as a document';

const OTHERS: readonly (readonly [isIt: (head: Uint8Array) => boolean, reason: string])[] = [
  [(head) => textAt(head, 0, '%PDF-'), `it is a PDF: ${document}`],
  [(head) => startsWith(head, 0x89, 0x50, 0x4e, 0x47), `it is a picture (PNG): ${document}`],
  [(head) => startsWith(head, 0xff, 0xd8, 0xff), `it is a picture (JPEG): ${document}`],
  [(head) => textAt(head, 0, 'GIF8'), `it is a picture (GIF): ${document}`],
  [(head) => textAt(head, 0, 'RIFF') && textAt(head, 8, 'AVI '), `it is an AVI file, which is not read: ${convert}`],
  [(head) => textAt(head, 0, 'RIFF') && textAt(head, 8, 'WEBP'), `it is a picture (WebP): ${document}`],
  [(head) => textAt(head, 0, 'FLV\x01'), `it is an FLV file, which is not read: ${convert}`],
  [
    (head) => startsWith(head, 0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11),
    `it is an ASF or WMV file, which is not read: ${convert}`,
  ],
  [(head) => startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), `it is an office file: ${document}`],
  [
    (head) => startsWith(head, 0x1f, 0x8b) || textAt(head, 0, '7z\xbc\xaf') || textAt(head, 0, 'Rar!'),
    'it is packed in a way that is not read: pack it as .zip, or send the files themselves',
  ],
];

/**
 * Determines the kind of a file by its signature. Returns null if it has none, as do texts, transport streams and
 * unknown formats.
 */
export function signatureOf(head: Uint8Array): Signed | null {
  // An archive begins with "PK" 3 4, or with "PK" 5 6 if it has no entries.
  if (startsWith(head, 0x50, 0x4b, 3, 4) || startsWith(head, 0x50, 0x4b, 5, 6)) return { kind: 'archive' };
  if (startsWith(head, 0x1a, 0x45, 0xdf, 0xa3)) return { kind: 'mkv' };
  if (isMp4(head)) {
    const brand = Buffer.from(head.subarray(8, 12)).toString('latin1');
    const isPicture = textAt(head, 4, 'ftyp') && PICTURE_BRANDS.test(brand);
    return isPicture
      ? { refused: `it is a picture (${/^avi/.test(brand) ? 'AVIF' : 'HEIC'}): ${document}` }
      : { kind: 'mp4' };
  }
  const other = OTHERS.find(([isIt]) => isIt(head));
  return other ? { refused: other[1] } : null;
}

function isMp4(head: Uint8Array): boolean {
  if (head.byteLength < MP4_HEAD || !FIRST_BOXES.some((type) => textAt(head, 4, type))) return false;
  // A text may have the letters of a box's type at byte 4 by chance. In MP4 the four bytes before them are the box's
  // size, below 16 MB and thus with a first byte of 0; only mdat, the media itself, is larger.
  return head[0] === 0 || textAt(head, 4, 'mdat');
}
