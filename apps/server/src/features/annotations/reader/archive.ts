import { Readable } from 'node:stream';
import { openZipSource, type Zip } from '../../../media/formats/zip.ts';
import { BadFile } from './bad-file.ts';
import type { Gathering } from './gather.ts';
import { readKml } from './kml.ts';
import { readShapefile } from './shapefile.ts';

/** Unpacked bytes of one file in the archive, and of all that are read. */
const FILE_MAX = 64 * 1024 * 1024;
const TOTAL_MAX = 128 * 1024 * 1024;

const source = (bytes: Buffer) => ({
  sizeBytes: bytes.byteLength,
  read: async (target: Uint8Array, position: number) => bytes.copy(target, 0, position, position + target.byteLength),
  stream: (start: number, end: number) => Readable.from([bytes.subarray(start, end)], { objectMode: false }),
  close: async () => {},
});

/** The first KML of a KMZ, or each shapefile of a zip. @throws BadFile, AppError badArchive */
export async function readArchive(bytes: Buffer, into: Gathering): Promise<'kmz' | 'shapefile'> {
  const zip = await openZipSource(source(bytes));
  const read = reader(zip);
  const names = [...zip.files.keys()];
  const kml = names.find((name) => /\.kml$/i.test(name));
  if (kml !== undefined) {
    readKml((await read(kml)).toString('utf8').replace(/^\uFEFF/, ''), into);
    return 'kmz';
  }
  const shapes = names.filter((name) => /\.shp$/i.test(name) && !name.startsWith('__MACOSX'));
  if (shapes.length === 0) throw new BadFile('the archive holds neither a KML nor a shapefile (.shp)');
  for (const shp of shapes) {
    const sibling = (suffix: string) => {
      const wanted = shp.replace(/\.shp$/i, suffix).toLowerCase();
      return names.find((name) => name.toLowerCase() === wanted);
    };
    const text = async (suffix: string) => {
      const name = sibling(suffix);
      return name === undefined ? null : (await read(name)).toString('latin1');
    };
    const dbf = sibling('.dbf');
    readShapefile(
      {
        shp: await read(shp),
        dbf: dbf === undefined ? null : await read(dbf),
        prj: await text('.prj'),
        cpg: await text('.cpg'),
      },
      into,
    );
  }
  return 'shapefile';
}

function reader(zip: Zip): (name: string) => Promise<Buffer> {
  let total = 0;
  return async (name) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const bytes of zip.read(zip.files.get(name)!)) {
      size += bytes.byteLength;
      total += bytes.byteLength;
      if (size > FILE_MAX || total > TOTAL_MAX) throw new BadFile('what the archive holds is too large');
      parts.push(bytes);
    }
    return Buffer.concat(parts);
  };
}
