import { describe, expect, it } from 'vitest';
import { createGeoJsonTokenizer, eachFeature, type GeoJsonPart, geoJsonParts } from './geojson.ts';
import { type GpxPoint, gpxReader } from './gpx.ts';
import { type KmlPlacemark, kmlReader } from './kml.ts';
import { kmzRoot, linkedKml, readLinked } from './kmz.ts';
import { createXmlTokenizer, fromRoot, readXml } from './xml.ts';

const LIMITS = { textMax: 1000, wholeMax: 100_000 };

/** Placemarks of a KML text. */
function marksOf(text: string): KmlPlacemark[] {
  const marks: KmlPlacemark[] = [];
  readXml(`<kml xmlns:gx="g">${text}</kml>`, kmlReader({ placemark: (mark) => void marks.push(mark) }));
  return marks;
}
const shapesOf = (text: string) => marksOf(`<Placemark>${text}</Placemark>`)[0]!.shapes;

describe('XML', () => {
  it('has 32 elements in each other and no more', () => {
    expect(() => readXml(`${'<a>'.repeat(32)}${'</a>'.repeat(32)}`, {})).not.toThrow();
    expect(() => readXml('<a>'.repeat(33), {})).toThrow('it is nested too deep');
  });

  it('begins with its root element, however long what is before it', () => {
    const before = `<?xml version="1.0"?>\n<!-- <gpx> ${'x'.repeat(100_000)} --> <?a b?>${'<!---->'.repeat(10_000)}\n`;
    expect(fromRoot(`${before}<kml/>`)).toBe('<kml/>');
    expect(fromRoot('<!-- open <kml/>')).toBe('<!-- open <kml/>');
    expect(fromRoot(' {"a":1}')).toBe('{"a":1}');
  });

  it('has names without prefixes, and texts up to the limit of the caller', () => {
    const closed: string[] = [];
    const tokenizer = createXmlTokenizer(
      { close: (name, text, path) => closed.push(`${path.join('/')}=${name}:${text}`) },
      { textMax: 5, wholeMax: 100 },
    );
    for (const char of '<x:a><b> 123456789 </b><c><![CDATA[<i>]]></c></x:a>') tokenizer.push(char);
    tokenizer.end();

    expect(closed).toEqual(['a/b=b:1234', 'a/c=c:<i>', 'a=a:']);
  });

  it.each([
    ['<a>&b;</a>', 'not well-formed XML: line 1, undefined entity'],
    ['<a><b></a>', 'not well-formed XML'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'a document type (DOCTYPE), which is not taken'],
    [`<a>${'x'.repeat(200_000)}`, 'too long without a tag'],
  ])('is refused: %s', (text, reason) => {
    const read = () => {
      const tokenizer = createXmlTokenizer({}, LIMITS);
      tokenizer.push(text.slice(0, 10));
      tokenizer.push(text.slice(10));
      tokenizer.end();
    };
    expect(read).toThrow(reason);
  });
});

describe('KML', () => {
  it.each([
    ['8.5,50.25,0', [[8.5, 50.25, 0]]],
    ['8.5, 50.25, 0', [[8.5, 50.25, 0]]],
    [
      '8.5 , 50.25\n8.6 ,50.3',
      [
        [8.5, 50.25],
        [8.6, 50.3],
      ],
    ],
    ['8.1,50.1,0 , 8.2,50.2,0', [null]],
    ['8.1,,0 8.2,50.2', [null, [8.2, 50.2]]],
    ['nan,nan 8.2,50.2', [null, [8.2, 50.2]]],
    ['', []],
  ])('has places in %j', (text, places) => {
    expect(shapesOf(`<LineString><coordinates>${text}</coordinates></LineString>`)).toEqual([
      { type: 'LineString', coordinates: places },
    ]);
  });

  it('has a gx:Track whose places may be empty', () => {
    const coords = ['-111.6 40.5 3222.3', '', '-111.7 40.6'].map((one) => `<gx:coord>${one}</gx:coord>`).join('');
    expect(shapesOf(`<gx:Track>${coords}</gx:Track>`)).toEqual([
      { type: 'LineString', coordinates: [[-111.6, 40.5, 3222.3], null, [-111.7, 40.6]] },
    ]);
  });

  it('has styles of placemarks, shared ones, and the normal one of a map, inline or shared, before or after', () => {
    const line = (colour: string) => `<LineStyle><color>ff${colour}</color></LineStyle>`;
    const map = (normal: string) =>
      `<Pair><key>normal</key>${normal}</Pair><Pair><key>highlight</key><Style>${line('ffffff')}</Style></Pair>`;
    const marks = marksOf(`<Document>
      <Placemark><styleUrl>#red</styleUrl></Placemark>
      <Placemark><Style>${line('00ff00')}</Style></Placemark>
      <Placemark><StyleMap>${map(`<Style>${line('0000ff')}</Style>`)}</StyleMap></Placemark>
      <Placemark><StyleMap>${map('<styleUrl>#red</styleUrl>')}</StyleMap></Placemark>
      <Placemark><styleUrl>#map</styleUrl></Placemark>
      <Placemark><styleUrl>#inline</styleUrl></Placemark>
      <Placemark><styleUrl>other.kml#red</styleUrl></Placemark>
      <Style id="red">${line('0000ff')}</Style>
      <StyleMap id="map">${map('<styleUrl>#red</styleUrl>')}</StyleMap>
      <StyleMap id="inline">${map(`<Style>${line('ff0000')}</Style>`)}</StyleMap></Document>`);

    expect(marks.map(({ style, foreignStyle }) => style().stroke ?? foreignStyle)).toEqual([
      ...['#ff0000', '#00ff00', '#ff0000', '#ff0000', '#ff0000', '#0000ff', 'other.kml#red'],
    ]);
  });

  it('links a file of its archive by a path of Windows, and by letters whose accents are apart', () => {
    const names = ['doc.kml', 'files/b.kml', 'A\u0308.kml'];
    expect(linkedKml(names, 'doc.kml', 'files\\b.kml')).toBe('files/b.kml');
    expect(linkedKml(names, 'doc.kml', '%C3%84.kml')).toBe('A\u0308.kml');
    expect(linkedKml(names, 'doc.kml', 'C:\\files\\b.kml')).toBeNull();
  });

  it('is read from the KML that an archive opens with, and from what that links within it', async () => {
    const names = ['files/one.kml', 'doc.kml', 'files/sub/two.KML', 'left.kml', 'a.png', '__MACOSX/doc.kml'];
    expect(kmzRoot(names)).toBe('doc.kml');
    expect([kmzRoot(['x/doc.kml', 'b.kml']), kmzRoot(['x/a.kml']), kmzRoot(['a.png'])]).toEqual([
      'b.kml',
      'x/a.kml',
      undefined,
    ]);
    expect(linkedKml(names, 'files/one.kml', './sub/../sub/two.kml#a')).toBe('files/sub/two.KML');
    expect(linkedKml(names, 'files/one.kml', '../doc.kml')).toBe('doc.kml');
    for (const href of ['http://a/doc.kml', '/doc.kml', 'a.png', 'C:doc.kml', '%ff']) {
      expect(linkedKml(names, 'doc.kml', href), href).toBeNull();
    }
    const read: string[] = [];
    const links: Record<string, string[]> = {
      'doc.kml': ['files/one.kml'],
      'files/one.kml': ['sub/two.kml', '../doc.kml'],
    };
    const left = await readLinked(names, 'doc.kml', async (name) => {
      read.push(name);
      return { hrefs: links[name] ?? [] };
    });
    expect([read, left]).toEqual([['doc.kml', 'files/one.kml', 'files/sub/two.KML'], ['left.kml']]);
  });
});

it('GPX has points with their own elements, those of extensions behind them', () => {
  const points: GpxPoint[] = [];
  const seen: string[] = [];
  const reader = gpxReader({
    begin: (part) => seen.push(`<${part}`),
    segment: () => seen.push('segment'),
    point: (point) => void points.push(point),
    end: (part, fields) => seen.push(`${part}> ${fields.get('name') ?? ''}`),
    named: (name) => seen.push(name),
  });
  readXml(
    `<gpx><metadata><name>all</name></metadata><wpt lat="1" lon="2"><name>w</name></wpt><trk><name>t</name><trkseg>
      <trkpt lat="3" lon="4"><ele>5</ele><extensions><ele>99</ele><speed>7</speed></extensions></trkpt>
      <trkpt lat="" lon=""/><trkpt lat="nan" lon="4"/><trkpt lon="4"/></trkseg></trk></gpx>`,
    reader,
  );

  expect(seen).toEqual(['all', '<wpt', 'wpt> w', '<trk', 'segment', 'trk> t']);
  expect(points.map(({ kind, place }) => [kind, place])).toEqual([
    ['wpt', [2, 1]],
    ['trkpt', [4, 3, 5]],
    ...Array<unknown>(3).fill(['trkpt', null]),
  ]);
  expect(points[1]!.fields.get('speed')).toBe('7');
});

describe('GeoJSON', () => {
  const point = (n: number) => ({
    type: 'Feature',
    properties: { n },
    geometry: { type: 'Point', coordinates: [n, n] },
  });
  const partsOf = (text: string): GeoJsonPart[] => [...geoJsonParts(text)];
  function propertiesOf(text: string): unknown[] {
    const found: unknown[] = [];
    for (const part of geoJsonParts(text)) {
      eachFeature(part, { feature: (_, properties) => found.push(properties), tooDeep: () => found.push('too deep') });
    }
    return found;
  }
  const collection = JSON.stringify(
    { name: 'features: [', features: [point(0), point(1)], type: 'FeatureCollection' },
    null,
    1,
  );

  it('gives one feature at a time, however it is cut into pieces', () => {
    const whole = partsOf(collection);
    expect(whole.map(({ kind }) => kind)).toEqual(['feature', 'feature', 'root']);
    for (let at = 0; at <= collection.length; at += 1) {
      const tokenizer = createGeoJsonTokenizer();
      const pieces = [collection.slice(0, at), collection.slice(at)];
      expect([...pieces.flatMap((piece) => tokenizer.push(piece)), ...tokenizer.end()]).toEqual(whole);
    }
  });

  it('keeps no more than one feature', () => {
    const tokenizer = createGeoJsonTokenizer();
    tokenizer.push('{"type":"FeatureCollection","features":[');
    const one = `${JSON.stringify(point(1))},`.repeat(1000);
    for (let n = 0; n < 50; n += 1) expect(tokenizer.push(one)).toHaveLength(1000);
  });

  it.each([
    ['a text a line', `${JSON.stringify(point(0))}\n${JSON.stringify(point(1))}\n`],
    ['texts behind record separators', `\u001e${JSON.stringify(point(0))}\n\u001e${JSON.stringify(point(1))}\n`],
    ['a collection', collection],
    ['a collection in a collection', JSON.stringify({ type: 'FeatureCollection', features: [JSON.parse(collection)] })],
    ['an escaped name', collection.replace('"features"', '"fe\\u0061tures"')],
  ])('may be %s', (_what, text) => {
    expect(propertiesOf(text)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it.each([
    '{"type":"FeatureCollection","features":[{},]}',
    '{"a":1}}',
    '{"a":[}',
    '{"a":NaN}',
    '[1',
    '{"a":"',
    'text',
    '{"features":[,]}',
  ])('is not %s', (text) => {
    expect(() => partsOf(text)).toThrow('it is not valid JSON');
  });

  it('has 16 collections in each other, and no more', () => {
    const nested = (depth: number): object =>
      depth === 0 ? point(0) : { type: 'FeatureCollection', features: [nested(depth - 1)] };
    expect(propertiesOf(JSON.stringify(nested(16)))).toEqual([{ n: 0 }]);
    expect(propertiesOf(JSON.stringify(nested(17)))).toEqual(['too deep']);
    expect(() => partsOf('['.repeat(100_000))).toThrow('it is nested too deep');
  });

  const crs = (name: string) => ({ type: 'name', properties: { name } });

  it.each([
    'EPSG:4326',
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'urn:ogc:def:crs:EPSG::4326',
    'urn:ogc:def:crs:EPSG:6.9:4326',
    'EPSG:6.9:4326',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
  ])('in %s is in WGS 84', (name) => {
    expect(propertiesOf(JSON.stringify({ ...point(0), crs: crs(name) }))).toEqual([{ n: 0 }]);
  });

  it('in another system is refused by its name, wherever that stands', () => {
    const other = { crs: crs('urn:ogc:def:crs:EPSG::31467') };
    const collected = (feature: object) => ({ type: 'FeatureCollection', features: [feature] });
    const geometry = { ...point(0).geometry, ...other };
    const all = [
      { ...collected(point(0)), ...other },
      collected({ ...point(0), ...other }),
      collected({ ...point(0), geometry }),
    ];
    for (const one of [...all, collected({ ...collected(point(0)), ...other }), { ...point(0), ...other }]) {
      expect(() => propertiesOf(JSON.stringify(one))).toThrow('its reference system is urn:ogc:def:crs:EPSG::31467');
    }
    expect(() =>
      propertiesOf(JSON.stringify({ ...point(0), crs: { type: 'EPSG', properties: { code: 3857 } } })),
    ).toThrow('EPSG:3857');
  });
});
