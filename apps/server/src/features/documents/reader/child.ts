import { fstatSync } from 'node:fs';
import { digitsOf } from '../../../base/formats/numbers.ts';
import { readDescriptor } from '../../../base/storage/read-descriptor.ts';
import { decodeText } from '../encoding.ts';
import type { Reading } from '../reading.ts';
import { FILE_MAX, nothingFound, TEXT_MAX } from './limits.ts';

/** Given by the parent, open for reading. */
const FILE = 3;

// Standard output is the answer: messages of decoders go elsewhere.
console.log = console.error;

/**
 * `read <content>` prints the findings in the file as JSON; `page <content> <page>` prints a picture of a page; `jpeg`
 * prints the picture in the file, made again; `strip <words>` the same with its label below. It runs in a child of its
 * own, because its input may be made to attack its reader, and loads only what that kind of file needs.
 */
async function main([task, content = '', page = '1']: readonly string[]): Promise<void> {
  if (task === 'jpeg') return print(await (await import('./image.ts')).jpegOf(readAll()));
  if (task === 'strip') {
    const { stripWords, withStrip } = await import('./strip.ts');
    return print(await withStrip(readAll(), stripWords.parse(JSON.parse(content))));
  }
  if (task === 'page') {
    if (content === 'pdf') return print(await (await import('./pdf.ts')).screenPage(readAll(), digitsOf(page)));
    if (content === 'heic') return print(await (await import('./heic.ts')).screenHeic(readAll()));
    return print(await (await import('./image.ts')).screenImage(readAll()));
  }
  print(Buffer.from(JSON.stringify(await read(content))));
}

async function read(content: string): Promise<Reading> {
  switch (content) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(readAll());
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
    case 'avif':
    case 'tiff':
      return (await import('./image.ts')).readImage(readAll());
    case 'heic':
      return (await import('./heic.ts')).readHeic(readAll());
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'odt':
    case 'ods':
      return (await import('./office.ts')).readOffice(readAll());
    case 'kmz':
      return (await import('./office.ts')).readKmz(readAll());
    case 'kml':
      return { ...plainText(), ...(await import('./geo.ts')).readKml(wholeText()) };
    case 'geojson':
      return { ...plainText(), ...(await import('./geo.ts')).readGeoJson(wholeText()) };
    case 'text':
    case 'csv':
    case 'json':
      return withPicture(content, plainText());
    default:
      return nothingFound;
  }
}

function plainText(): Reading {
  const { size } = fstatSync(FILE);
  const bytes = readDescriptor(FILE, Math.min(size, TEXT_MAX));
  return { ...nothingFound, text: decodeText(bytes, size <= TEXT_MAX), textScope: size > TEXT_MAX ? 'part' : 'all' };
}

/** A text without a picture is still found by its words. */
async function withPicture(content: 'text' | 'csv' | 'json', found: Reading): Promise<Reading> {
  const { textPicture } = await import('./text-picture.ts');
  return { ...found, thumbnail: await textPicture(found.text, content).catch(() => null) };
}

const wholeText = (): string => decodeText(readAll(), true);

function readAll(): Buffer {
  const { size } = fstatSync(FILE);
  if (size > FILE_MAX) throw new Error('Too large to be read');
  return readDescriptor(FILE, size);
}

/** Ends when all of it is on its way: what hangs on in a library does not keep the child alive. */
function print(bytes: Uint8Array): void {
  process.stdout.write(bytes, () => process.exit(0));
}

await main(process.argv.slice(2));
