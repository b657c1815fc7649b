import { readFileSync } from 'node:fs';
import type { AnnotationFeature, ImportedAnnotations } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { addAnnotation, featureOf, newAnnotationBody, pointAt } from '../../../test/annotations.ts';
import { documentForm } from '../../../test/documents.ts';
import { expectHarmless } from '../../../test/harmless.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { zipOf } from '../../../test/zip-writer.ts';

const server = await testServer();
const { db, groups } = server;
expectHarmless(() => server.dataDir);

type Refusal = { code: string; text: string };

async function send(who: Subject, name: string, bytes: Uint8Array | string, query = '') {
  const form = documentForm({}, { name, bytes: Buffer.from(bytes) });
  const answer = await server.asUser(who).inject({ method: 'POST', url: `/api/annotations/import${query}`, ...form });
  return { status: answer.statusCode, body: answer.json() as ImportedAnnotations & Refusal };
}

const featuresOf = ({ parts }: ImportedAnnotations): AnnotationFeature[] => parts.flatMap(({ features }) => features);

const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

async function exported(who: Subject, payload: object) {
  const answer = await server.asUser(who).inject({ method: 'POST', url: '/api/annotations/export', payload });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

/** A shapefile of polygons in these coordinates. */
function shapefile(rings: number[][][]) {
  const points = rings.flat();
  const content = Buffer.alloc(44 + 4 * rings.length + 16 * points.length);
  content.writeInt32LE(5, 0);
  content.writeInt32LE(rings.length, 36);
  content.writeInt32LE(points.length, 40);
  let start = 0;
  rings.forEach((ring, at) => {
    content.writeInt32LE(start, 44 + 4 * at);
    start += ring.length;
  });
  points.forEach(([x = 0, y = 0], at) => {
    content.writeDoubleLE(x, 44 + 4 * rings.length + 16 * at);
    content.writeDoubleLE(y, 52 + 4 * rings.length + 16 * at);
  });
  const head = Buffer.alloc(108);
  head.writeInt32BE(9994, 0);
  head.writeInt32LE(5, 32);
  head.writeInt32BE(1, 100);
  head.writeInt32BE(content.length / 2, 104);
  return Buffer.concat([head, content]);
}

/** A table of one text field with one row. */
function table(name: string, value: Buffer) {
  const bytes = Buffer.alloc(32 + 32 + 1 + 1 + value.length);
  bytes[0] = 3;
  bytes.writeUInt32LE(1, 4);
  bytes.writeUInt16LE(65, 8);
  bytes.writeUInt16LE(1 + value.length, 10);
  bytes.write(name, 32, 'latin1');
  bytes.write('C', 43, 'latin1');
  bytes[48] = value.length;
  bytes[64] = 0x0d;
  bytes[65] = 0x20;
  value.copy(bytes, 66);
  return bytes;
}

describe('POST annotations/import', () => {
  it('T-094 takes texts as they are, cleans what is no style, and never looks at what a file names', async () => {
    const hostile = {
      type: 'Feature',
      properties: {
        title: '<img src=x onerror=alert(1)>',
        description: '<script>alert(1)</script>',
        stroke: 'url(javascript:alert(1))',
        fill: '#0a0',
        'stroke-width': '900',
        'fill-opacity': 2,
      },
      geometry: { type: 'Point', coordinates: [3, 54, 12] },
    };
    const { status, body } = await send('U1', 'shapes.geojson', collection(hostile));

    expect(status).toBe(200);
    expect(featuresOf(body)).toEqual([
      {
        type: 'Feature',
        properties: {
          featureTitle: '<img src=x onerror=alert(1)>',
          popupContent: '<script>alert(1)</script>',
          'fill-color': '#00AA00',
          'stroke-width': 20,
          'fill-opacity': 1,
        },
        geometry: { type: 'Point', coordinates: [3, 54, 12] },
      },
    ]);
  });

  it('T-094 refuses what is no JSON, too deep, empty or too large, and keeps nothing of any file', async () => {
    expect((await send('U1', 'a.geojson', '{"type": "Point", "coordinates": [NaN, 1]}')).body.text).toBe(
      'The file was refused: it is not valid JSON.',
    );
    expect((await send('U1', 'a.json', `${'['.repeat(1000)}${']'.repeat(1000)}`)).status).toBe(422);
    expect((await send('U1', 'a.json', '')).body.code).toBe('emptyFile');
    expect((await send('guest', 'a.json', collection())).status).toBe(403);
    const large = await send('U1', 'a.json', Buffer.alloc(33 * 1024 * 1024, ' '));
    expect([large.status, large.body.code]).toEqual([413, 'bodyTooLarge']);
    const polluted = await send('U1', 'a.json', `{"__proto__":{"polluted":1},${collection(pointAt(1, 2)).slice(1)}`);
    expect(polluted.status).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const retained: string[] = [];
    for await (const { key } of server.dependencies.storage.list('uploads')) retained.push(key);
    expect(retained).toEqual([]);
  });

  it('offers more than one annotation may hold in parts, or simplified with the number of positions', async () => {
    const points = Array.from({ length: 1500 }, (_, at) => pointAt(at / 100, 1));
    const { body } = await send('U1', 'many.json', collection(...points));
    expect(body.parts.map(({ title, features }) => [title, features.length])).toEqual([
      ['Part 1', 1000],
      ['Part 2', 500],
    ]);

    const wave = featureOf({
      type: 'LineString',
      coordinates: Array.from({ length: 30_000 }, (_, at) => [at / 1000, Math.sin(at / 100)]),
    });
    const simplified = (await send('U1', 'wave.json', collection(wave), '?simplify=1')).body;
    expect([simplified.vertices, simplified.parts.length]).toEqual([30_000, 1]);
    expect(simplified.keptVertices).toBeLessThanOrEqual(20_000);
  });

  it('reads KML and KMZ with their styles, and names links and overlays without fetching them', async () => {
    const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Style id="red"><LineStyle><color>800000ff</color><width>4</width></LineStyle></Style>
      <StyleMap id="both"><Pair><key>normal</key><styleUrl>#red</styleUrl></Pair></StyleMap>
      <NetworkLink><name>Tides</name><Link><href>http://127.0.0.1:9/tides.kml</href></Link></NetworkLink>
      <GroundOverlay><name>Chart</name><Icon><href>http://127.0.0.1:9/chart.png</href></Icon></GroundOverlay>
      <Placemark><name>Lane &amp; buoys</name><description><![CDATA[<b>North</b>]]></description><styleUrl>#both</styleUrl>
        <MultiGeometry><LineString><coordinates>24,37 24.5,37.5</coordinates></LineString>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing></outerBoundaryIs></Polygon>
        </MultiGeometry></Placemark></Document></kml>`;
    const { body } = await send('U1', 'a.kml', kml);

    expect(body.remarks.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'NetworkLink Tides: It is not fetched: http://127.0.0.1:9/tides.kml.',
      'GroundOverlay Chart: It is not shown, and nothing of it is fetched: http://127.0.0.1:9/chart.png.',
    ]);
    expect(featuresOf(body).map(({ geometry }) => geometry.type)).toEqual(['LineString', 'Polygon']);
    expect(featuresOf(body)[0]!.properties).toEqual({
      featureTitle: 'Lane & buoys',
      popupContent: '<b>North</b>',
      stroke: '#FF0000',
      'stroke-opacity': 0.5,
      'stroke-width': 4,
    });
    const kmz = await send('U1', 'a.kmz', await zipOf([{ name: 'doc.kml', data: Buffer.from(kml) }]));
    expect([kmz.body.format, featuresOf(kmz.body)]).toEqual(['kmz', featuresOf(body)]);
  });

  it('reads a shapefile in the system of its .prj with the text of its .cpg, and refuses an unknown one by its name', async () => {
    const ring = [
      [500_000, 4_150_000],
      [500_000, 4_160_000],
      [510_000, 4_160_000],
      [500_000, 4_150_000],
    ];
    const utm =
      'PROJCS["WGS 84 / UTM zone 35N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],' +
      'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],' +
      'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",27],PARAMETER["scale_factor",0.9996],' +
      'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]';
    const archive = (prj: string) =>
      zipOf([
        { name: 'zones/area.shp', data: shapefile([ring]) },
        { name: 'zones/area.dbf', data: table('name', Buffer.from([0xcf, 0xf1, 0xec])) },
        { name: 'zones/area.prj', data: Buffer.from(prj) },
        { name: 'zones/area.cpg', data: Buffer.from('1253') },
      ]);
    const { body } = await send('U1', 'zones.zip', await archive(utm));

    const [area] = featuresOf(body);
    const [lon = 0, lat = 0] = (area!.geometry as { coordinates: number[][][] }).coordinates[0]![0]!;
    expect(body.format).toBe('shapefile');
    expect(area!.properties.featureTitle).toBe(new TextDecoder('windows-1253').decode(Buffer.from([0xcf, 0xf1, 0xec])));
    expect(lon).toBeCloseTo(27, 6);
    expect(lat).toBeCloseTo(37.5, 1);
    const unknown = await send(
      'U1',
      'zones.zip',
      await archive('PROJCS["Moon grid",GEOGCS["Moon"],PROJECTION["Nothing"]]'),
    );
    expect(unknown.body.text).toBe(
      'The file was refused: its reference system Moon grid is not known: save it in WGS 84 (EPSG:4326) and add it again.',
    );
  });

  itWithData('T-094 keeps the text of a good file exactly, from its import to its export', async () => {
    const good = readFileSync(testData('bad/json/good.geojson'));
    const read = await send('U1', 'good.geojson', good);
    const made = await server.asUser('U1').inject({
      method: 'POST',
      url: '/api/annotations',
      payload: newAnnotationBody({ usergroups: [groups.G1], features: featuresOf(read.body) }),
    });
    const { text } = await exported('U1', { annotations: [(made.json() as { _id: string })._id] });

    const [feature] = (JSON.parse(text) as { features: AnnotationFeature[] }).features;
    const [given] = (JSON.parse(good.toString()) as { features: AnnotationFeature[] }).features;
    expect(feature!.geometry).toEqual(given!.geometry);
  });
});

describe('POST annotations/export', () => {
  it('writes GeoJSON, KML and GPX with the label in the name, cut at the antimeridian, and with texts escaped', async () => {
    await db.deleteFrom('annotations').execute();
    const line = featureOf(
      {
        type: 'LineString',
        coordinates: [
          [179, 1],
          [-179, 1],
        ],
      },
      { featureTitle: 'A & <b>', popupContent: 'two\nlines', stroke: '#FF0000' },
    );
    await addAnnotation(db, { title: 'Fiji', classification: 2 }, [], [line, pointAt(1, 2)]);

    const geojson = await exported('U1', {});
    expect(geojson.headers['content-disposition']).toBe('attachment; filename="annotations-RESTRICTED.geojson"');
    const { features } = JSON.parse(geojson.text) as { features: { properties: object; geometry: object }[] };
    expect(features[0]).toMatchObject({
      properties: { annotation: 'Fiji', securityClassification: 'RESTRICTED', featureTitle: 'A & <b>' },
      geometry: { type: 'MultiLineString' },
    });
    const kml = await exported('U1', { format: 'kml' });
    expect(kml.text).toContain('<name>A &amp; &lt;b&gt;</name>');
    expect(kml.text).toContain('<color>ff0000ff</color>');
    const gpx = await exported('U1', { format: 'gpx' });
    expect(gpx.text.indexOf('<wpt')).toBeLessThan(gpx.text.indexOf('<trk>'));
    for (const { text, name } of [
      { text: kml.text, name: 'a.kml' },
      { text: gpx.text, name: 'a.gpx' },
    ]) {
      // The line is cut at the antimeridian, and comes back as one feature.
      expect(featuresOf((await send('U1', name, text)).body)).toHaveLength(2);
    }
  });

  it('leaves out what is hidden, refuses one that is named with 404, and is not for the guest', async () => {
    await db.deleteFrom('annotations').execute();
    const own = await addAnnotation(db, { title: 'own' });
    const hidden = await addAnnotation(db, { title: 'hidden', audience: 'groups' }, [groups.G2]);
    await addAnnotation(db, { title: 'open', audience: 'groups' }, [groups.Demo]);

    const { text, headers } = await exported('U1', { annotations: [own] });
    expect([headers['x-total-count'], text.includes('hidden')]).toEqual(['1', false]);
    expect((await exported('U1', {})).headers['x-total-count']).toBe('2');
    expect((await exported('U1', { annotations: [own, hidden] })).status).toBe(404);
    expect((await exported('guest', {})).status).toBe(403);
  });
});
