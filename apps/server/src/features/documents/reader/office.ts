import { Readable } from 'node:stream';
import saxes from 'saxes';
import { kmzRoot, readLinked } from '../../../base/formats/kmz.ts';
import { openZipSource, type Zip } from '../../../media/formats/zip.ts';
import { decodeText } from '../encoding.ts';
import type { Reading } from '../reading.ts';
import { kmlPlaces } from './geo.ts';
import { nothingFound, textCollector } from './limits.ts';

/** Maximum unpacked size of one part, including markup; a longer part is cut. */
const PART_MAX = 32 * 1024 * 1024;
/** Maximum unpacked size of all parts together. */
const TOTAL_MAX = 128 * 1024 * 1024;

/** Parts that contain text written by people, in reading order: the body, then headers, footers and notes. */
const parts: readonly RegExp[] = [
  /^word\/document\.xml$/,
  /^word\/(?:header|footer)\d*\.xml$/,
  /^word\/(?:footnotes|endnotes|comments)\.xml$/,
  /^xl\/sharedStrings\.xml$/,
  /^xl\/worksheets\/sheet\d+\.xml$/,
  /^xl\/comments\d*\.xml$/,
  /^ppt\/slides\/slide\d+\.xml$/,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/,
  /^content\.xml$/,
  /^styles\.xml$/,
  /^docProps\/core\.xml$/,
  /^meta\.xml$/,
];

/**
 * Elements whose characters are text: ECMA-376 (t, delText), ODF 1.3 (text:*), Dublin Core. Headers of a sheet are text
 * too (`SHEET_HEADER`).
 */
const TEXT_ELEMENT = /^(?:w:t|w:delText|a:t|t|x:t|dc:\w+|cp:keywords|meta:keyword|text:.+)$/;
/** Elements after which a word ends. */
const BREAK_ELEMENT =
  /^(?:w:p|w:tab|w:br|a:p|si|is|row|(?:x:)?c|text:(?:p|h|tab|line-break|s|note-citation)|table:table-cell|dc:\w+)$/;
/** Notes placed inside a paragraph, directly after a word (ODF 1.3, 6.3 and 14.1). */
const INSET_ELEMENT = /^(?:text:note|office:annotation)$/;

/** A spreadsheet cell and its stored value (ECMA-376 18.3.1.4, 18.3.1.96). */
const CELL = /^(?:x:)?c$/;
const CELL_VALUE = /^(?:x:)?v$/;
/** Cell types whose stored value is not text: an index of the shared strings, a boolean, an error. */
const NO_TEXT = new Set(['s', 'b', 'e']);

const SHEET_HEADER = /^(?:odd|even|first)(?:Header|Footer)$/;
/**
 * Formatting codes in the text of a header or footer: position, font, size, colour, style and fields (ECMA-376
 * 18.3.1.46).
 */
const HEADER_CODE = /&(?:"[^"]*"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d+|[A-Z&])/gi;

const source = (bytes: Buffer) => ({
  sizeBytes: bytes.byteLength,
  read: async (target: Uint8Array, position: number) => bytes.copy(target, 0, position, position + target.byteLength),
  stream: (start: number, end: number) => Readable.from([bytes.subarray(start, end)], { objectMode: false }),
  close: async () => {},
});

/** Reads the text of docx, xlsx, pptx, odt and ods: body, headers, footers, notes. */
export async function readOffice(bytes: Buffer): Promise<Reading> {
  const zip = await openZipSource(source(bytes));
  const names = [...zip.files.keys()];
  const text = textCollector();
  let total = 0;
  for (const name of parts.flatMap((part) => names.filter((one) => part.test(one)).sort(byNumber))) {
    const { markup, sizeBytes } = await readPart(zip, name);
    total += sizeBytes;
    if (!addText(markup, text.add) || total > TOTAL_MAX) break;
  }
  return { ...nothingFound, ...text.found() };
}

/** Reads the main KML file of a KMZ archive, and the KML files of the archive that it links to. */
export async function readKmz(bytes: Buffer): Promise<Reading> {
  const zip = await openZipSource(source(bytes));
  const names = [...zip.files.keys()];
  const root = kmzRoot(names);
  if (root === undefined) return nothingFound;
  const kml = kmlPlaces();
  let total = 0;
  await readLinked(names, root, async (name) => {
    const parts = await partsOf(zip, name);
    total += parts.byteLength;
    return total > TOTAL_MAX ? { hrefs: [] } : kml.add(decodeText(parts, parts.byteLength <= PART_MAX));
  });
  return { ...nothingFound, ...kml.places() };
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

async function readPart(zip: Zip, name: string): Promise<{ markup: string; sizeBytes: number }> {
  if (!zip.files.has(name)) return { markup: '', sizeBytes: 0 };
  const bytes = await partsOf(zip, name);
  return { markup: new TextDecoder('utf-8').decode(bytes, { stream: true }), sizeBytes: bytes.byteLength };
}

/** Returns the unpacked bytes of a part, stopping shortly after `PART_MAX`. */
async function partsOf(zip: Zip, name: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const bytes of zip.read(zip.files.get(name)!)) {
    parts.push(bytes);
    sizeBytes += bytes.byteLength;
    if (sizeBytes > PART_MAX) break;
  }
  return Buffer.concat(parts);
}

/**
 * Extracts the text of a part. Returns false when no space is left. The parser knows only the predefined XML entities,
 * and loads nothing external.
 */
function addText(markup: string, add: (text: string) => boolean): boolean {
  const parser = new saxes.SaxesParser({ xmlns: false });
  const open: string[] = [];
  let room = true;
  let cellType = 'n';
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (CELL.test(name)) cellType = attributes.t ?? 'n';
    if (INSET_ELEMENT.test(name) && room) room = add('\n');
  });
  parser.on('text', (part) => {
    const isValue = CELL_VALUE.test(open.at(-1) ?? '') && CELL.test(open.at(-2) ?? '') && !NO_TEXT.has(cellType);
    const inText = isValue || open.some((name) => TEXT_ELEMENT.test(name) || SHEET_HEADER.test(name));
    if (inText && room) room = add(SHEET_HEADER.test(open.at(-1) ?? '') ? part.replace(HEADER_CODE, ' ') : part);
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if ((BREAK_ELEMENT.test(name) || SHEET_HEADER.test(name)) && room) room = add('\n');
  });
  // If a part is malformed, the text before the error is kept.
  parser.on('error', () => {});
  parser.write(markup).close();
  return room;
}
