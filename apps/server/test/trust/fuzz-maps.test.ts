import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError, type FeatureGeometry } from '@osprey/contract';
import { drawnEdges, type Position, straightParts, targetOf } from '@osprey/geo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DecoderError } from '../../src/base/ffmpeg/ffmpeg.ts';
import { scriptRunner } from '../../src/base/ffmpeg/script.ts';
import { BadFile } from '../../src/base/formats/bad-file.ts';
import { readPrj } from '../../src/base/formats/reference-systems/read-prj.ts';
import { cutGeometry, linesOf } from '../../src/features/annotations/formats/geometry.ts';
import { readAnnotations } from '../../src/features/annotations/reader/read.ts';
import { readGeoJson, readKml } from '../../src/features/documents/reader/geo.ts';
import { readPlaces } from '../../src/features/places/read-list.ts';
import { judgeFile } from '../../src/uploads/sniff.ts';
import { rowsOf } from '../sidecar-rows.ts';
import { zipOf } from '../zip-writer.ts';

/** Time of the processor for one reader of one file, however busy the machine is. */
const LONGEST_MS = 8000;
const MILLION = 1_000_000;
const CHILD = resolve(import.meta.dirname, '../../src/features/annotations/reader/child.ts');
const run = scriptRunner({ mode: 'auto' });
const hasOutcome = (printed: object): boolean => 'found' in printed || 'refused' in printed;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-maps-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Everything that reads a file that is a text or an archive of texts. */
const READERS: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  annotations: (bytes) => readAnnotations(bytes, false),
  sidecar: async (bytes) => {
    judgeFile(bytes, { complete: true });
    for (const { timeUs, values } of (await rowsOf(bytes)).rows) expectNumbers([timeUs, ...Object.values(values)]);
  },
  documents: (bytes) => [readKml(bytes.toString()), readGeoJson(bytes.toString())],
  places: (bytes) => readPlaces(bytes.toString()),
  pieces: async (bytes) => {
    const { parts } = await readAnnotations(bytes, false);
    for (const { features } of parts) for (const { geometry } of features.slice(0, 20)) expectPieces(geometry);
  },
};

/** Expects what exports, Find and maps make of a shape to be on the globe. */
function expectPieces(geometry: FeatureGeometry): void {
  for (const line of [...linesOf(cutGeometry(geometry)), ...drawnEdges(linesOf(geometry))]) {
    for (const [lon, lat] of line) expect(Number.isFinite(lon) && Math.abs(lat!) <= 90).toBe(true);
  }
  for (const line of linesOf(cutGeometry(geometry))) for (const [lon] of line) expect(Math.abs(lon!)).toBeLessThan(181);
  if (geometry.type !== 'Polygon') return;
  try {
    targetOf(straightParts([{ kind: 'area', rings: geometry.coordinates as unknown as Position[][] }]));
  } catch (error) {
    // An area around the equator has no inside.
    if (!(error instanceof RangeError)) throw error;
  }
}

function expectNumbers(values: readonly unknown[]): void {
  for (const value of values) if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
}

/** Gives the file to each reader; a reader ends with what it read, or with a sentence. */
async function readEverywhere(bytes: Buffer): Promise<unknown[]> {
  const strange: unknown[] = [];
  for (const read of Object.values(READERS)) {
    try {
      await read(bytes);
    } catch (error) {
      if (!(error instanceof AppError || error instanceof BadFile) || error.message === '') strange.push(error);
    }
  }
  return strange;
}

const PRJ =
  'PROJCS["DHDN_3_Degree_Gauss_Zone_3",GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",DATUM["D_Deutsches_Hauptdreiecksnetz",' +
  'SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],' +
  'PROJECTION["Gauss_Kruger"],PARAMETER["False_Easting",3500000.0],PARAMETER["False_Northing",0.0],' +
  'PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

const TEXTS: Readonly<Record<string, string>> = {
  kml:
    '<?xml version="1.0"?><kml xmlns:gx="g"><Document><Style id="a"><LineStyle><color>ff0000ff</color></LineStyle></Style>' +
    '<Placemark><name>&amp;é</name><styleUrl>#a</styleUrl><gx:Track><when>2026-03-04T03:57:11Z</when><gx:coord>8 50 1' +
    '</gx:coord></gx:Track><MultiGeometry><Point><coordinates>8, 50</coordinates></Point></MultiGeometry></Placemark></Document></kml>',
  gpx:
    '<?xml version="1.0"?><gpx><trk><name>é</name><trkseg><trkpt lat="50.1" lon="8.1"><ele>100</ele>' +
    '<time>2026-03-04T03:57:11Z</time></trkpt><trkpt lat="" lon=""/><trkpt lat="50.2" lon="8.2"/></trkseg></trk></gpx>',
  geojson:
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":"2026-03-04T03:57:11Z","name":"é"},' +
    '"geometry":{"type":"Point","coordinates":[8.1,50.1]}},{"type":"Feature","geometry":{"type":"Polygon","coordinates":' +
    '[[[0,0],[1,0],[1,1],[0,0]]]}}]}',
  wideGeojson:
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":' +
    '[[[-120,-40],[120,-40],[120,40],[-120,40],[-120,-40]],[[-100,-4],[100,-4],[100,4],[-100,-4]]]}},{"type":"Feature",' +
    '"properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[170,-9],[-170,-9],[-170,9],[170,9],[170,-9]],' +
    '[[175,-1],[178,-1],[178,1],[175,-1]]],[[[60,50],[300,50],[300,60],[60,50]]]]}},{"type":"LineString","coordinates":' +
    '[[170,0],[190,1e1],[-5.4e2,0]]}]}',
  wideKml:
    '<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>-180,-90 180,-90 180,90 -180,90 -180,-90</coordinates>' +
    '</LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>-170,0 170,0 0,9 -170,0</coordinates></LinearRing>' +
    '</innerBoundaryIs></Polygon></Placemark></kml>',
  wideGpx:
    '<gpx><trk><trkseg><trkpt lat="50" lon="179.9"/><trkpt lat="51" lon="-179.9"/><trkpt lat="-52" lon="190"/></trkseg></trk></gpx>',
  csv: 'sep=;\r\ntime;13;14;"Platform Designation"\r\n2026-03-04T03:57:11Z;50,1;8,1;"a ""é"""\r\n',
  places: 'name,latitude,longitude\nKöln,50.9,6.9\n',
  srt: '1\n00:00:00,000 --> 00:00:01,000\n[latitude: 50.1] [longitude: 8.1] [altitude: 10]\n\n',
};

type Ring = readonly (readonly [x: number, y: number])[];
const NEAR: Ring = [
  [3500000, 5560000],
  [3500000, 5561000],
  [3501000, 5561000],
  [3500000, 5560000],
];
/** A ring of 240 degrees, for a file without a system. */
const WIDE: Ring = [
  [-120, -40],
  [-120, 40],
  [120, 40],
  [-120, -40],
];

/** A shapefile with one polygon, its table and its system. */
function shapefile(ring = NEAR) {
  const shp = Buffer.alloc(108 + 48 + 16 * ring.length);
  shp.writeInt32BE(9994, 0);
  shp.writeInt32LE(5, 32);
  shp.writeInt32BE(1, 100);
  shp.writeInt32BE((shp.length - 108) / 2, 104);
  shp.writeInt32LE(5, 108);
  shp.writeInt32LE(1, 144);
  shp.writeInt32LE(ring.length, 148);
  for (const [at, [x, y]] of ring.entries()) {
    shp.writeDoubleLE(x, 156 + 16 * at);
    shp.writeDoubleLE(y, 164 + 16 * at);
  }
  const dbf = Buffer.alloc(66 + 10, 0x20);
  dbf.fill(0, 0, 64);
  dbf[0] = 3;
  dbf.writeUInt32LE(1, 4);
  dbf.writeUInt16LE(65, 8);
  dbf.writeUInt16LE(11, 10);
  dbf.write('name', 32);
  dbf.write('C', 43);
  dbf[48] = 10;
  dbf[64] = 0x0d;
  dbf.write('Öland', 66);
  return { shp, dbf, prj: Buffer.from(PRJ), cpg: Buffer.from('UTF-8') };
}

const archiveOf = (parts: Record<string, Buffer>) =>
  zipOf(Object.entries(parts).map(([suffix, data]) => ({ name: `a.${suffix}`, data })));

describe('T-042 maps, tables and tracks of others', { timeout: 300_000 }, () => {
  it.each(Object.keys(TEXTS))('in %s that are whole are read', async (name) => {
    const bytes = Buffer.from(TEXTS[name]!);
    expect(await readEverywhere(bytes)).toEqual([]);
    if (name === 'kml' || name === 'gpx' || name === 'geojson') {
      expect((await readAnnotations(bytes, false)).parts).toHaveLength(1);
      expect((await rowsOf(bytes)).rows).toHaveLength(1);
    }
  });

  const isWide = (name: string) => name.startsWith('wide');
  const wide = Object.keys(TEXTS).filter(isWide);
  it.each(Object.keys(TEXTS).filter((name) => !isWide(name)))(
    'in %s that are cut at any byte end in a sentence',
    (name) => cutEverywhere(name, 1),
  );
  it.each(wide)('in %s that are cut end in a sentence', (name) => cutEverywhere(name, 11));
  it.each(wide)('in %s that are cut at any byte end in a sentence', { tags: ['long'] }, (name) =>
    cutEverywhere(name, 1),
  );

  async function cutEverywhere(name: string, step: number): Promise<void> {
    const bytes = Buffer.from(TEXTS[name]!);
    const strange: unknown[] = [];
    for (let end = 0; end < bytes.length; end += step) strange.push(...(await readEverywhere(bytes.subarray(0, end))));
    expect(strange).toEqual([]);
  }

  it('in a shapefile whose parts are cut at any byte end in a sentence', { tags: ['long'] }, async () => {
    const complete = shapefile();
    expect((await readAnnotations(await archiveOf(complete), false)).parts).toHaveLength(1);
    for (const [suffix, bytes] of Object.entries(complete)) {
      for (let end = 1; end < bytes.length; end += 1) {
        const cut = await archiveOf({ ...complete, [suffix]: bytes.subarray(0, end) });
        expect(await readEverywhere(cut), `${suffix} ${end}`).toEqual([]);
      }
    }
  });

  it('in a shapefile whose parts are cut in their midst end in a sentence', async () => {
    const complete = shapefile();
    for (const [suffix, bytes] of Object.entries(complete)) {
      for (const end of [1, 31, 33, 99, 101, 150, bytes.length - 1]) {
        const cut = await archiveOf({ ...complete, [suffix]: bytes.subarray(0, end) });
        expect(await readEverywhere(cut), `${suffix} ${end}`).toEqual([]);
      }
    }
  });

  const doubles = [Number.NaN, -Infinity, 540, 1e9, Infinity, 1e308, -1e308, 5e-324, -540, 1080];
  it('in a shapefile of a wide area with a number that is no longitude end in a sentence', () =>
    spoilShapefile(doubles.slice(0, 4), 3));
  it('in a shapefile of a wide area with any number that is no longitude end in a sentence', { tags: ['long'] }, () =>
    spoilShapefile(doubles, 1),
  );

  async function spoilShapefile(values: readonly number[], step: number): Promise<void> {
    const { shp } = shapefile(WIDE);
    expect((await readAnnotations(await archiveOf({ shp }), false)).parts).toHaveLength(1);
    const at = shp.length - 16 * WIDE.length;
    for (const value of values) {
      for (let place = 0; place < 2 * WIDE.length; place += step) {
        const spoilt = Buffer.from(shp);
        spoilt.writeDoubleLE(value, at + 8 * place);
        expect(await readEverywhere(await archiveOf({ shp: spoilt })), `${value} ${place}`).toEqual([]);
      }
    }
  }

  const odd = ['1e999', '540', '-540', '-1e999', '1e308', '-0', '541', '1e-400', '"8"', 'null', '[]', '9'.repeat(400)];
  it.each(wide)('in %s with a number that is no longitude end in a sentence', (name) =>
    spoilNumbers(name, odd.slice(0, 3), 5),
  );
  it.each(wide)('in %s with any number that is no longitude end in a sentence', { tags: ['long'] }, (name) =>
    spoilNumbers(name, odd, 1),
  );

  async function spoilNumbers(name: string, values: readonly string[], step: number): Promise<void> {
    const text = TEXTS[name]!;
    const numbers = [...text.matchAll(/-?\b\d+\b/g)];
    expect(numbers.length).toBeGreaterThan(5);
    for (const number of values) {
      for (let at = 0; at < numbers.length; at += step) {
        const { 0: found, index } = numbers[at]!;
        const spoilt = text.slice(0, index) + number + text.slice(index + found.length);
        expect(await readEverywhere(Buffer.from(spoilt)), spoilt).toEqual([]);
      }
    }
  }

  it('in an archive that is cut at any byte end in a sentence', { tags: ['long'] }, async () => {
    const kmz = await zipOf([{ name: 'doc.kml', data: Buffer.from(TEXTS.kml!) }]);
    for (let end = 0; end < kmz.length; end += 1) expect(await readEverywhere(kmz.subarray(0, end))).toEqual([]);
  });

  const hostile: readonly (readonly [what: string, text: string])[] = [
    ['elements', '<kml>'.repeat(MILLION)],
    ['empty elements', `<kml>${'<a/>'.repeat(MILLION)}</kml>`],
    [
      'blanks between coordinates',
      `<kml><Placemark><Point><coordinates>${' '.repeat(MILLION)}1,2</coordinates></Point></Placemark></kml>`,
    ],
    [
      'commas between coordinates',
      `<kml><Placemark><Point><coordinates>${','.repeat(MILLION)}</coordinates></Point></Placemark></kml>`,
    ],
    ['numbers beyond numbers', `<gpx><wpt lat="1e999" lon="-1e999"/><wpt lat="${'9'.repeat(MILLION)}" lon="1"/></gpx>`],
    ['styles', `<kml>${'<Style id="a"><LineStyle><width>1e999</width></LineStyle></Style>'.repeat(100_000)}</kml>`],
    ['brackets', '['.repeat(MILLION)],
    ['empty features', `{"type":"FeatureCollection","features":[${'{},'.repeat(MILLION)}{}]}`],
    ['infinite places', `{"type":"LineString","coordinates":[${'[1e999,-1e999],'.repeat(100_000)}[1,2]]}`],
    ['quotation marks', `time,13\n${'"'.repeat(MILLION)}`],
    ['separators', `time,13${','.repeat(MILLION)}`],
    ['ends of lines', `time,13\n${'\r'.repeat(MILLION)}`],
    ['arrows', '00:00:00,000 -->'.repeat(60_000)],
    ['bytes of no encoding', Buffer.alloc(MILLION, 0xff).toString('latin1')],
  ];

  it.each(hostile)('with a million %s end in a sentence, soon', readSoon);

  const wideHostile = (count: number): readonly (readonly [what: string, text: string])[] => [
    ['wide edges', `{"type":"Polygon","coordinates":[[${'[-180,0],[179,1],'.repeat(count)}[-180,0]]]}`],
    ['edges past the globe', `{"type":"Polygon","coordinates":[[${'[-540,0],[540,1],'.repeat(count)}[-540,0]]]}`],
    ['lines past the globe', `{"type":"LineString","coordinates":[${'[540,0],[-540,1],'.repeat(count / 10)}[0,0]]}`],
    [
      'holes at the date line',
      `{"type":"Polygon","coordinates":[[[170,-9],[-170,-9],[-170,9],[170,-9]]${',[[179,0],[-179,0],[180,1],[179,0]]'.repeat(count / 5)}]}`,
    ],
  ];
  it.each(wideHostile(5000))('with many %s end in a sentence, soon', readSoon);
  it.each(wideHostile(100_000))('with very many %s end in a sentence, soon', { tags: ['long'] }, readSoon);
  it.each(wideHostile(MILLION))(
    'with a million %s are read by a child within its memory',
    { tags: ['long'] },
    readByChild,
  );

  async function readSoon(_what: string, text: string): Promise<void> {
    const begun = process.cpuUsage();
    expect(await readEverywhere(Buffer.from(text))).toEqual([]);
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(LONGEST_MS * Object.keys(READERS).length);
  }

  it.each(hostile.slice(0, 3))('with a million %s are read by a child within its memory', readByChild);
  it.each(hostile.slice(3))(
    'with a million %s are read by a child within its memory too',
    { tags: ['long'] },
    readByChild,
  );

  /** The child has 256 MiB of heap and 512 MiB in all: it answers, or the file needs too much, which is a sentence too. */
  async function readByChild(_what: string, text: string): Promise<void> {
    const path = join(folder, 'hostile');
    await writeFile(path, text);
    const limits = { wallMs: 60_000, maxBytes: 96 * 1024 * 1024 };
    const printed = await run({ script: CHILD, args: ['parts'], path, ...limits }).catch((error: unknown) => error);
    if (printed instanceof DecoderError) expect(printed.message).toMatch(/too long|too much memory|damaged/);
    else expect(hasOutcome(JSON.parse((printed as Buffer).toString()) as object)).toBe(true);
  }

  it('in UTF-16 with half a character, and in an encoding that is another one, end in a sentence', async () => {
    for (const text of Object.values(TEXTS)) {
      const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const bytes of [
        wide,
        wide.subarray(0, wide.length - 1),
        Buffer.from(text, 'latin1'),
        Buffer.from(text, 'utf16le'),
      ]) {
        expect(await readEverywhere(bytes)).toEqual([]);
      }
    }
  });

  it('in reference systems that are cut, repeated or have no numbers are refused', () => {
    for (let end = 0; end < PRJ.length; end += 1)
      expect(() => readPrj(PRJ.slice(0, end)), String(end)).toThrow(BadFile);
    for (const text of [
      'GEOGCS['.repeat(MILLION),
      `GEOGCS[${'"'.repeat(MILLION)}]`,
      PRJ.replace('299.1528128', '1e999'),
      PRJ.replace('9.0', ''),
      PRJ.replace('0.0174532925199433', '0'),
      PRJ.replace('"Meter",1.0', '"Meter",-1'),
      '9'.repeat(MILLION),
    ]) {
      expect(() => readPrj(text), text.slice(0, 40)).toThrow(BadFile);
    }
  });
});
