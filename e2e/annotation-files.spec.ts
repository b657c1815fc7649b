import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { stageFor } from './support/stage.ts';

// Shows the tab annotations/dialog/ImportTab.tsx of the dialog of an annotation

const stage = stageFor({}, { isShared: true });

const GERMAN =
  'PROJCS["DHDN_3_Degree_Gauss_Zone_3",GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",DATUM["D_Deutsches_Hauptdreiecksnetz",' +
  'SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],' +
  'PROJECTION["Gauss_Kruger"],PARAMETER["False_Easting",3500000.0],PARAMETER["False_Northing",0.0],' +
  'PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
const UNKNOWN = GERMAN.replaceAll('DHDN_3_Degree_Gauss_Zone_3', 'Atlantis_Grid_1930').replace(
  'D_Deutsches_Hauptdreiecksnetz',
  'D_Atlantis_1930',
);

/** 8.5 E 50.2 N in EPSG:31467, as ogr2ogr 3.6.2 writes it. */
const [EAST, NORTH] = [3464376.018560277, 5562772.8020024905] as const;

/** The .shp of one point. */
function pointFile(): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(64, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(1, 32);
  bytes.writeInt32BE(1, 100);
  bytes.writeInt32BE(10, 104);
  bytes.writeInt32LE(1, 108);
  bytes.writeDoubleLE(EAST, 112);
  bytes.writeDoubleLE(NORTH, 120);
  return bytes;
}

/** An archive of files as they are (APPNOTE 4.3). */
function zipOf(files: Record<string, Buffer>): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const [name, data] of Object.entries(files)) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(position, 10);
    const parts = [Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), data];
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, entry, Buffer.from(name));
    local.push(...parts);
    position += parts.reduce((sum, part) => sum + part.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...local, listed, end]);
}

const shapefile = (prj: string) => ({
  name: 'markers.zip',
  mimeType: 'application/zip',
  buffer: zipOf({ 'markers.shp': pointFile(), 'markers.prj': Buffer.from(prj) }),
});

beforeAll(() => stage.api.addMission({ name: 'IMPORTED', audience: 'everyone' }));

type Saved = { features: { geometry: { type: string; coordinates: number[] } }[] };

/** Metres from where the point should be. */
async function offOf(title: string): Promise<number> {
  const rows = await stage.api.send<{ _id: string; title: string }[]>('GET', 'annotations');
  const { _id } = rows.find((row) => row.title === title)!;
  const saved = await stage.api.send<Saved>('GET', `annotations?id=${_id}`);
  const [lon = 0, lat = 0] = saved.features[0]!.geometry.coordinates;
  return 111_195 * Math.hypot((lon - 8.5) * Math.cos((50.2 * Math.PI) / 180), lat - 50.2);
}

describe.each([
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844, touch: true }],
])('a shapefile on a %s', (name, view) => {
  it('of an unknown system is refused by its name, and one of EPSG:31467 stands where it should', async () => {
    const { page, close } = await stage.signedIn(view);
    await page.getByRole('tab', { name: 'Annotations' }).click();
    await page.getByRole('treegrid', { name: 'Annotations' }).waitFor();
    await page.getByRole('button', { name: 'Add annotation' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New annotation' });
    await dialog.getByLabel('Title').fill(`Markers ${name}`);
    await dialog.getByRole('tab', { name: 'Import' }).click();

    await dialog.getByTestId('files-Import').setInputFiles(shapefile(UNKNOWN));
    const refusal = page.getByText(
      'its reference system Atlantis_Grid_1930 is not known: save it in WGS 84 (EPSG:4326)',
    );
    await refusal.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(view.width);

    await dialog.getByTestId('files-Import').setInputFiles(shapefile(GERMAN));
    await page.getByText('1 shape from markers.zip was added.').first().waitFor();
    await dialog.getByRole('button', { name: /^(?:Create|Save)$/ }).click();
    await page.getByText(`Annotation Markers ${name} created.`).waitFor();

    expect(await offOf(`Markers ${name}`)).toBeLessThan(5);
    await close();
  });
});
