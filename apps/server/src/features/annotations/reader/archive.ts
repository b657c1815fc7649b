import { Readable } from 'node:stream';
import { BadFile } from '../../../base/formats/bad-file.ts';
import { decodeShown } from '../../../base/formats/code-pages.ts';
import { kmzRoot, linkedKml, readLinked } from '../../../base/formats/kmz.ts';
import { decodeComplete } from '../../../base/formats/text.ts';
import { openZipSource, type Zip } from '../../../media/formats/zip.ts';
import type { Gathering } from './gather.ts';
import { readKml } from './kml.ts';
import { readShapefile } from './shapefile.ts';
import { readText, type TextFormat } from './text.ts';

/** Maximum unpacked bytes of one file in the archive, and of all files read. */
const FILE_MAX = 64 * 1024 * 1024;
const TOTAL_MAX = 128 * 1024 * 1024;

const source = (bytes: Buffer) => ({
  sizeBytes: bytes.byteLength,
  read: async (target: Uint8Array, position: number) => bytes.copy(target, 0, position, position + target.byteLength),
  stream: (start: number, end: number) => Readable.from([bytes.subarray(start, end)], { objectMode: false }),
  close: async () => {},
});

/**
 * Reads the KML of a KMZ with the files it links, each shapefile of a zip, or its GeoJSON and GPX. @throws BadFile,
 * AppError badArchive
 */
export async function readArchive(bytes: Buffer, into: Gathering): Promise<'kmz' | 'shapefile' | TextFormat> {
  const zip = await openZipSource(source(bytes));
  const read = reader(zip);
  const names = [...zip.files.keys()].filter((name) => !name.startsWith('__MACOSX/'));
  const root = kmzRoot(names);
  if (root !== undefined) {
    await readKmz({ names, root, read }, into);
    return 'kmz';
  }
  const shapes = names.filter((name) => /\.shp$/i.test(name));
  for (const shp of shapes) await readShapes({ names, shp, read }, into);
  if (shapes.length > 0) return 'shapefile';
  const texts = names.filter((name) => /\.(?:geojsonl?|geojsons|json|gpx)$/i.test(name));
  let format: TextFormat | null = null;
  for (const name of texts) format = readText(await read(name), into);
  if (format === null) throw new BadFile('the archive holds no KML, shapefile (.shp), GeoJSON or GPX');
  return format;
}

type Files = { names: readonly string[]; read: (name: string) => Promise<Buffer> };

async function readKmz({ names, root, read }: Files & { root: string }, into: Gathering): Promise<void> {
  const left = await readLinked(names, root, async (name) => {
    const hrefs: string[] = [];
    const isInside = (href: string) => linkedKml(names, name, href) !== null;
    readKml(decodeComplete(await read(name)), into, { isInside, inside: (href) => hrefs.push(href) });
    return { hrefs };
  });
  for (const name of left) into.note(name, 'No link of the archive leads to this file: it is not read.');
}

async function readShapes({ names, shp, read }: Files & { shp: string }, into: Gathering): Promise<void> {
  const sibling = async (suffix: string) => {
    const requested = shp.replace(/\.shp$/i, suffix).toLowerCase();
    const name = names.find((one) => one.toLowerCase() === requested);
    return name === undefined ? null : read(name);
  };
  const [dbf, prj, cpg] = [await sibling('.dbf'), await sibling('.prj'), await sibling('.cpg')];
  const shape = { shp: await read(shp), dbf, prj: prj && decodeShown(prj), cpg: cpg && decodeShown(cpg) };
  readShapefile(shape, into);
}

function reader(zip: Zip): (name: string) => Promise<Buffer> {
  let total = 0;
  return async (name) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const bytes of zip.read(zip.files.get(name)!)) {
      size += bytes.byteLength;
      total += bytes.byteLength;
      if (size > FILE_MAX || total > TOTAL_MAX) throw new BadFile('what the archive holds is too large');
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  };
}
