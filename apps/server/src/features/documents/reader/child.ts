import { fstatSync } from 'node:fs';
import { digitsOf } from '../../../base/formats/numbers.ts';
import { readDescriptor } from '../../../base/storage/read-descriptor.ts';
import { decodeText } from '../encoding.ts';
import type { Reading } from '../reading.ts';
import { FILE_MAX, nothingFound, TEXT_MAX } from './limits.ts';

/** File descriptor of the file to read, opened by the parent process. */
const FILE = 3;

// Standard output carries the result, so redirect messages of the decoders to standard error.
console.log = console.error;

/**
 * Entry point. `read <content>` prints the findings in the file as JSON; `page <content> <page>` prints a picture of a
 * page; `jpeg` prints the picture in the file, encoded again; `strip <words>` prints the same with its label below.
 * Runs in a separate process, because the file may be made to attack its decoder, and loads only the modules that this
 * kind of file needs.
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

/** If the picture cannot be drawn, the text alone is returned, so that a search still finds the document. */
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

/**
 * Writes the result and exits as soon as it is written, since handles left open by a library would keep the process
 * alive.
 */
function print(bytes: Uint8Array): void {
  process.stdout.write(bytes, () => process.exit(0));
}

await main(process.argv.slice(2));
