import { readFileSync } from 'node:fs';
import { type DocumentGeometry, documentGeometry } from '@osprey/contract';
import { areApart, destination, distanceM, outlineFault } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { readGeoJson, readKml } from './geo.ts';

type Ring = [number, number][];

const field = (name: string) => readFileSync(testData(`field/${name}`), 'utf8');
const field3 = (name: string) => readFileSync(testData(`field3/${name}`), 'utf8');
const polygon = (...coordinates: Ring[]) => ({ type: 'Polygon', coordinates });
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** Around 8 E 50 N; a share of its radius goes in and out from point to point. */
function circle(points: number, radiusM: number, wave = 0): Ring {
  const ring = Array.from({ length: points }, (_none, n): [number, number] => {
    const metres = radiusM * (1 + wave * Math.sin((40 * Math.PI * n) / points));
    const { lon, lat } = destination({ lon: 8, lat: 50 }, (360 * n) / points, metres);
    return [lon, lat];
  });
  return [...ring, ring[0]!];
}
const read = (value: object) => readGeoJson(JSON.stringify(value));
const ringsOf = (geometry: DocumentGeometry | null) =>
  (geometry?.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry?.coordinates) as Ring[];

describe('a shape beyond longitude 180', () => {
  itWithData('is taken back onto the globe with the others of its MultiPolygon', () => {
    const { geometry, note } = readGeoJson(field('one-part-beyond-180.geojson'));

    expect(note).toBeNull();
    expect(documentGeometry.safeParse(geometry).success).toBe(true);
    expect(ringsOf(geometry)).toHaveLength(3);
    const [, , third] = ringsOf(geometry);
    expect(new Set(third!.map(([lon]) => lon))).toEqual(new Set([178, 180]));
  });

  itWithData('may belong to an area of half a turn and more, which is as it was drawn', () => {
    const lonsOf = (name: string) => {
      const { geometry, note } = readGeoJson(field3(name));
      expect(note).toBeNull();
      return ringsOf(geometry).map((ring) => ring.map(([lon]) => lon));
    };
    const [wide] = lonsOf('f-wide-rectangle.geojson');
    expect([Math.min(...wide!), Math.max(...wide!), wide!.includes(40)]).toEqual([-120, 120, true]);
    const [world] = lonsOf('f-world-rectangle.geojson');
    expect([Math.min(...world!), Math.max(...world!)]).toEqual([-180, 180]);
    expect(lonsOf('geojson-hole-dateline.geojson')).toHaveLength(2);
  });

  it('is cut where it passes it, each piece with its hole', () => {
    const { geometry } = read(polygon(box(-190, 0, -170, 10), box(-188, 4, -186, 6), box(-174, 4, -172, 6)));

    expect(geometry?.type).toBe('MultiPolygon');
    const areas = (geometry!.coordinates as Ring[][]).map((area) =>
      area.map((ring) => [Math.min(...ring.map(([lon]) => lon)), Math.max(...ring.map(([lon]) => lon))]),
    );
    expect(areas.sort((a, b) => a[0]![0]! - b[0]![0]!)).toEqual([
      [
        [-180, -170],
        [-174, -172],
      ],
      [
        [170, 180],
        [172, 174],
      ],
    ]);
  });

  it('may be a line or a point', () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [179, 0],
        [181, 2],
      ],
    };

    expect(read(line).geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [179, 0],
          [180, 1],
        ],
        [
          [-180, 1],
          [-179, 2],
        ],
      ],
    });
    expect(read({ type: 'Point', coordinates: [182, 5] }).geometry).toEqual({ type: 'Point', coordinates: [-178, 5] });
  });
});

describe('an outline over the limit of vertices', () => {
  itWithData('is simplified for the map, with its numbers; a small one next to it stays', () => {
    const { geometry, note } = readGeoJson(field('large-and-small-polygon.geojson'));
    const source = JSON.parse(field('large-and-small-polygon.geojson')) as {
      features: { geometry: { coordinates: Ring[] } }[];
    };
    const rings = ringsOf(geometry);

    expect(rings).toHaveLength(2);
    expect(rings).toContainEqual(
      source.features.map((one) => one.geometry.coordinates[0]!).find((ring) => ring.length < 10),
    );
    expect(note).toMatch(
      /^For the map and the search its 20,50\d positions are simplified to [\d,]+, at most [\d.]+ m off\.$/,
    );
  });

  it('stays within 10 m, its rings closed and apart', () => {
    // The hole is 4 m within the outline, which is simplified by less for it.
    const [outer, hole] = [circle(15_000, 5000, 0.01), circle(12_000, 4940)];
    const { geometry, note } = read(polygon(outer, hole));
    const rings = ringsOf(geometry);
    const off = Number(/at most ([\d.]+) m off/.exec(note!)?.[1]);

    expect(note).toContain('its 27,002 positions');
    expect(off).toBeLessThanOrEqual(10);
    expect(rings).toHaveLength(2);
    for (const ring of rings) expect(ring[0]).toEqual(ring.at(-1));
    expect(outlineFault(geometry!)).toBeNull();
    expect(areApart(rings)).toBe(true);
    const isNear = ([lon, lat]: [number, number]) =>
      rings[0]!.some((corner, at) => at > 0 && segmentM([lon, lat], rings[0]![at - 1]!, corner) <= off + 0.1);
    expect(outer.filter((_corner, n) => n % 250 === 0).every(isNear)).toBe(true);
  });

  it('has no place and says so where even that is too much', () => {
    const squares = Array.from({ length: 5000 }, (_none, n) => [box(n / 100, 0, n / 100 + 0.005, 0.005)]);

    expect(read({ type: 'MultiPolygon', coordinates: squares })).toEqual({
      geometry: null,
      note: 'It has no place: its 25,000 positions are more than 20,000, also when it is simplified.',
    });
  });
});

/** Metres from a place to a side, on a plane chart around it. */
function segmentM([lon, lat]: [number, number], a: [number, number], b: [number, number]): number {
  const east = 111_195 * Math.cos((lat * Math.PI) / 180);
  const [ax, ay, bx, by] = [(a[0] - lon) * east, (a[1] - lat) * 111_195, (b[0] - lon) * east, (b[1] - lat) * 111_195];
  const whole = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = whole > 0 ? Math.max(0, Math.min(1, -(ax * (bx - ax) + ay * (by - ay)) / whole)) : 0;
  return Math.hypot(ax + share * (bx - ax), ay + share * (by - ay));
}

describe('what is left out', () => {
  it('is counted, with the first reason, and kinds that are not shown are named', () => {
    const crossing = polygon([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    const far = { type: 'Point', coordinates: [0, 95] };
    const line = {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    };
    const geometries = [crossing, far, polygon(box(0, 0, 1, 1)), line, line, { type: 'Point', coordinates: [1, 1] }];

    expect(read({ type: 'GeometryCollection', geometries })).toEqual({
      geometry: polygon(box(0, 0, 1, 1)),
      note: '2 shapes are left out: the outline crosses itself. Not shown are 2 lines and 1 point: a document has shapes of one kind, areas first.',
    });
  });

  it('of a MultiPolygon is a broken part alone', () => {
    const coordinates = [
      [box(0, 0, 1, 1)],
      [
        [
          [5, 5],
          [6, 6],
        ],
      ],
    ];

    expect(read({ type: 'MultiPolygon', coordinates })).toEqual({
      geometry: polygon(box(0, 0, 1, 1)),
      note: expect.stringMatching(/^One shape is left out: it has too few positions/) as string,
    });
  });
});

describe('a gx:Track', () => {
  itWithData('of 5 points is a line of 5 points', () => {
    const { geometry, note } = readKml(field('gx-track.kml'));

    expect(note).toBeNull();
    expect(geometry).toEqual({
      type: 'LineString',
      coordinates: [
        [8, 50],
        [8.01, 50.01],
        [8.02, 50.02],
        [8.03, 50.03],
        [8.04, 50.04],
      ],
    });
    expect(distanceM({ lon: 8, lat: 50 }, { lon: 8.04, lat: 50.04 })).toBeGreaterThan(5000);
  });

  it('of one point is a point', () => {
    expect(readKml('<kml><gx:Track><gx:coord>8 50 100</gx:coord></gx:Track></kml>').geometry).toEqual({
      type: 'Point',
      coordinates: [8, 50],
    });
  });
});
