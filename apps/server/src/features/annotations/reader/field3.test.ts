import { readFileSync } from 'node:fs';
import type { AnnotationFeature } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { readAnnotations } from './read.ts';
import { areasOf } from './rings.ts';

async function read(bytes: Buffer | string) {
  const { parts, remarks, format } = await readAnnotations(Buffer.from(bytes as string), false);
  const features = parts.flatMap((part) => part.features) as AnnotationFeature[];
  return {
    format,
    features,
    shapes: features.map(({ geometry: { type, coordinates } }) => [type, coordinates]),
    titles: features.map(({ properties }) => properties.featureTitle),
    said: remarks.map(({ name, reason }) => `${name}: ${reason}`),
  };
}
const field = (name: string) => read(readFileSync(testData(`field3/${name}`)));

describe('a bad point', () => {
  itWithData('costs that point, and is told', async () => {
    expect((await field('kml-space-after-comma.kml')).shapes).toEqual([
      ['Point', [8.5, 50.25, 0]],
      [
        'LineString',
        [
          [8.1, 50.1, 0],
          [8.2, 50.2, 0],
          [8.3, 50.3, 0],
        ],
      ],
    ]);
    const empty = await field('gpx-empty-lat-lon.gpx');
    expect(empty.shapes).toEqual([
      [
        'LineString',
        [
          [8.1, 50.1],
          [8.2, 50.2],
        ],
      ],
    ]);
    expect(empty.said).toEqual([
      'nofix: A position has longitude and latitude.',
      'T: One of its 3 positions is left out. A position has longitude and latitude.',
    ]);
    const nan = await field('gpx-one-nan-point.gpx');
    expect(nan.shapes).toEqual([
      [
        'LineString',
        [
          [8.1, 50.1],
          [8.2, 50.2],
          [8.3, 50.3],
        ],
      ],
    ]);
    expect(nan.said).toEqual(['T: One of its 4 positions is left out. A position has longitude and latitude.']);
    const track = await field('kml-track-empty-coord.kml');
    expect(track.shapes).toEqual([
      [
        'LineString',
        [
          [-111.6, 40.5, 3222.3],
          [-111.7, 40.6, 3223.3],
        ],
      ],
    ]);
    expect(track.said).toEqual(['T: One of its 3 positions is left out. A position has longitude and latitude.']);
  });

  it('of an area or of several lines costs no more than that, and a line that it leaves too short costs itself', async () => {
    const area = { type: 'Polygon', coordinates: [[null, [0, 0], [1, 0], [1, 1], [0, 1], null]] };
    const lines = {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 95],
          [2, 2],
        ],
        [
          [0, 0],
          [1, 'x'],
        ],
      ],
    };
    const found = await read(JSON.stringify({ type: 'GeometryCollection', geometries: [area, lines] }));

    expect(found.shapes).toEqual([
      [
        'Polygon',
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
            [0, 0],
          ],
        ],
      ],
      [
        'MultiLineString',
        [
          [
            [0, 0],
            [2, 2],
          ],
        ],
      ],
    ]);
    expect(found.said).toEqual([
      ': Its outline was not closed: it was closed.',
      ': 2 of its 6 positions are left out. A position has longitude and latitude.',
      ': 2 of its 5 positions are left out. Latitude 95 is out of range.',
      ': One of its parts has too few positions and is left out.',
    ]);
  });
});

describe('an archive', () => {
  itWithData('has KML in the encoding that it names, and what it links within itself', async () => {
    expect((await field('kmz-latin1.kmz')).titles).toEqual(['Åland Öregrund']);
    const linked = await field('kmz-linked-inside.kmz');
    expect(linked.shapes.map(([, place]) => place)).toEqual([
      [1, 2, 0],
      [3, 4, 0],
    ]);
    expect([linked.titles, linked.said]).toEqual([['A', 'B'], []]);
  });

  itWithData('has tables in the code page of the .cpg, of byte 29, or of their bytes', async () => {
    expect((await field('dbf-cpg-cp437.zip')).titles).toEqual(['Köln']);
    expect((await field('dbf-cpg-932.zip')).titles).toEqual(['東京湾']);
    expect((await field('dbf-ldid-cp1251.zip')).titles).toEqual(['Москва']);
    expect((await field('dbf-utf8-binary-field-table.zip')).titles).toEqual(['Árrago Öland']);
  });

  itWithData('has rings in any order', async () => {
    expect((await field('shp-hole-first.zip')).shapes).toEqual([
      [
        'Polygon',
        [
          [
            [0, 0],
            [0, 10],
            [10, 10],
            [10, 0],
            [0, 0],
          ],
          [
            [2, 2],
            [4, 2],
            [4, 4],
            [2, 4],
            [2, 2],
          ],
        ],
      ],
    ]);
  });

  itWithData.each([
    ['shp-epsg-28992.zip', 5.4, 52.15],
    ['shp-epsg-31467.zip', 8.5, 50.2],
    ['shp-epsg-23030.zip', -3.7, 40.4],
    ['shp-epsg-27572.zip', 2.3, 48.8],
  ])('of shapes in another system, %s, has them within 5 m', async (name, lon, lat) => {
    const [[, place]] = (await field(name)).shapes as [[string, [number, number]]];
    expect(Math.hypot((place[0] - lon) * Math.cos((lat * Math.PI) / 180), place[1] - lat) * 111_195).toBeLessThan(5);
  });
});

it('rings are outlines and holes by what lies in what, whichever way they turn', () => {
  const box = (from: number, to: number) => [
    [from, from],
    [from, to],
    [to, to],
    [to, from],
    [from, from],
  ];
  const turned = (ring: number[][]) => [...ring].reverse();
  const [outer, hole, island, other] = [box(0, 100), box(10, 90), box(20, 80), box(200, 210)];
  for (const rings of [
    [island, hole, other, outer],
    [turned(outer), hole, turned(island), other],
    [turned(other), turned(hole), outer, island],
  ]) {
    const sizes = areasOf(rings).map((area) => area.map((ring) => Math.max(...ring.map(([x = 0]) => x))));
    expect(sizes.sort((a, b) => a[0]! - b[0]!)).toEqual([[80], [100, 90], [210]]);
  }
});

describe('a file of GeoJSON', () => {
  itWithData('may have a text a line, and colours by their names', async () => {
    expect((await field('lines.geojsonl')).shapes.map(([, place]) => place)).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    const { features } = await field('geojson-named-colours.geojson');
    expect(features.map(({ properties }) => properties.stroke)).toEqual(['#FF0000', '#663399', '#FF0000']);
  });
});

it('shapes of one kind in a MultiGeometry are one feature; one that cannot be costs itself', async () => {
  const point = (text: string) => `<Point><coordinates>${text}</coordinates></Point>`;
  const ring = (text: string) =>
    `<Polygon><outerBoundaryIs><LinearRing><coordinates>${text}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
  const { shapes, said } = await read(
    `<kml><Placemark><name>M</name><MultiGeometry>${point('1,2')}${ring('0,0 1,0 1,1 0,0')}<MultiGeometry>${point('3,4')}
    ${point('')}</MultiGeometry>${ring('5,5 6,5 6,6 5,5')}</MultiGeometry></Placemark></kml>`,
  );

  expect(shapes.map(([type]) => type)).toEqual(['MultiPoint', 'MultiPolygon']);
  expect(shapes[0]![1]).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(said).toEqual(['M: A position has longitude and latitude.']);
});
