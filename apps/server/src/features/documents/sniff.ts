import type { DocumentContent } from '@osprey/contract';
import { detectPacketing } from '@osprey/mpegts';
import { csvCells } from '../../base/formats/csv.ts';
import { readText } from './encoding.ts';

/** Number of bytes inspected at the beginning and at the end. */
export const INSPECTED_BYTES = 64 * 1024;

type Bytes = Uint8Array;

const latin = (bytes: Bytes): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
const begins = (bytes: Bytes, ...signature: number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);
const textAt = (bytes: Bytes, start: number, text: string): boolean =>
  latin(bytes.subarray(start, start + text.length)) === text;

/** Brands of HEIF pictures (ISO/IEC 23008-12, 10.1), which begin with a box `ftyp` like MP4 files. */
const HEIF = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);
const BRANDS_MAX = 256;

/** Returns the brands in the box `ftyp` of a file, the major brand first (ISO/IEC 14496-12, 4.3). */
function brandsOf(head: Bytes): string[] {
  if (!textAt(head, 4, 'ftyp') || head.byteLength < 16) return [];
  const size = new DataView(head.buffer, head.byteOffset).getUint32(0);
  const compatible = latin(head.subarray(16, Math.min(size, BRANDS_MAX)));
  return [latin(head.subarray(8, 12)), ...(compatible.match(/.{4}/gs) ?? [])];
}

const signatures: [DocumentContent, (head: Bytes) => boolean][] = [
  ['png', (head) => begins(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['jpeg', (head) => begins(head, 0xff, 0xd8, 0xff)],
  ['gif', (head) => textAt(head, 0, 'GIF87a') || textAt(head, 0, 'GIF89a')],
  ['webp', (head) => textAt(head, 0, 'RIFF') && textAt(head, 8, 'WEBP')],
  ['tiff', (head) => textAt(head, 0, 'II*\0') || textAt(head, 0, 'MM\0*')],
  ['avif', (head) => brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')],
  ['heic', (head) => brandsOf(head).some((brand) => HEIF.has(brand))],
  ['mp4', (head) => textAt(head, 4, 'ftyp')],
  ['ole', (head) => begins(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)],
  // The PDF header may be anywhere within the first kilobyte (ISO 32000-2, annex I); signatures of programs count only
  // at the very beginning.
  ['pdf', (head) => latin(head.subarray(0, 1024)).includes('%PDF-')],
];

/**
 * Names that occur only in packages of this kind. Names are stored uncompressed, in the headers and in the directory at
 * the end.
 */
const packages: [DocumentContent, string][] = [
  ['odt', 'mimetypeapplication/vnd.oasis.opendocument.text'],
  ['ods', 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet'],
  ['docx', 'word/document.xml'],
  ['xlsx', 'xl/workbook.xml'],
  ['pptx', 'ppt/presentation.xml'],
  ['kmz', 'doc.kml'],
];

/**
 * Determines the kind of a document from its bytes alone; its name is ignored. Unknown files are `bin`. Pages and
 * drawings that could hold a script (html, svg, xml) are text.
 *
 * @param head its first 64 KiB
 * @param tail its last 64 KiB
 * @param complete true if `head` is the whole file
 */
export function contentOf(head: Bytes, tail: Bytes, complete: boolean): DocumentContent {
  if (begins(head, 0x50, 0x4b, 3, 4) || begins(head, 0x50, 0x4b, 5, 6)) {
    const names = latin(head) + latin(tail);
    return packages.find(([, mark]) => names.includes(mark))?.[0] ?? 'zip';
  }
  const known = signatures.find(([, matches]) => matches(head));
  if (known) return known[0];
  const read = readText(head, complete);
  // A text with lines as long as packets may have a G (the sync byte 0x47) at the start of each, so valid UTF-8 is no
  // stream; streams contain NULs.
  if (read?.encoding !== 'utf-8' && detectPacketing(head) !== null) return 'ts';
  return read === null ? 'bin' : textContent(read.text, { complete, isUtf8: read.encoding === 'utf-8' });
}

function textContent(text: string, { complete, isUtf8 }: { complete: boolean; isUtf8: boolean }): DocumentContent {
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,4096}?-->\s*)*<kml\b/.test(text)) return 'kml';
  // JSON is always UTF-8 (RFC 8259, 8.1).
  if (isUtf8 && /^\s*[{[]/.test(text) && isJson(text, complete)) {
    const geo =
      /"type"\s*:\s*"(?:FeatureCollection|Feature|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)"/;
    return geo.test(text) && /"(?:coordinates|features|geometries)"\s*:/.test(text) ? 'geojson' : 'json';
  }
  return isTable(text) ? 'csv' : 'text';
}

function isJson(text: string, complete: boolean): boolean {
  if (!complete) return /^\s*(?:\{\s*"|\[\s*[[{"\d-])/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the text is a table: several lines with the same number of the same separator, and no markup. */
function isTable(text: string): boolean {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .slice(0, 20);
  if (lines.length < 2 || /^\s*</.test(text)) return false;
  return [',', ';', '\t'].some((mark) => {
    const counts = lines.slice(0, -1).map((line) => csvCells(line, mark).length - 1);
    return counts[0]! > 0 && counts.every((count) => count === counts[0]);
  });
}
