import type { Annotation, AnnotationFeature, FeatureProperties } from '@osprey/contract';
import { destination } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { geoJsonText } from '../formats/geojson-text.ts';
import { gpxText } from '../formats/gpx-text.ts';
import { kmlText } from '../formats/kml-text.ts';
import { readAnnotations } from './read.ts';

const centre = [24.31, 37.66];

/** A point on the circle, with the seven decimals that are stored. */
function around(bearing: number, radius: number): number[] {
  const { lon, lat } = destination({ lon: centre[0]!, lat: centre[1]! }, bearing, radius);
  return [Number(lon.toFixed(7)), Number(lat.toFixed(7))];
}

const arc = (radius: number, from: number, to: number): number[][] =>
  Array.from({ length: 65 }, (_, at) => around(from + ((to - from) * at) / 64, radius));

const drawn = (properties: FeatureProperties, geometry: AnnotationFeature['geometry']): AnnotationFeature => ({
  type: 'Feature',
  properties: { stroke: '#F2C14E', ...properties },
  geometry,
});

const circle = drawn(
  { shape: 'circle', centre, radius: 500 },
  { type: 'Polygon', coordinates: [[...arc(500, 0, 360).slice(0, 64), around(0, 500)]] },
);
const rings = drawn(
  { shape: 'rings', centre, radius: 900, ringCount: 3 },
  { type: 'MultiLineString', coordinates: [300, 600, 900].map((radius) => arc(radius, 0, 360)) },
);
const sector = drawn(
  { shape: 'sector', centre, radius: 700, bearingFrom: 330, bearingTo: 45.5 },
  { type: 'Polygon', coordinates: [[centre, ...arc(700, 330, 405.5), centre]] },
);
const corners = [
  [24.1, 37.5],
  [24.2, 37.5],
  [24.2, 37.6],
  [24.1, 37.6],
  [24.1, 37.5],
];
const rectangle = drawn({ shape: 'rectangle' }, { type: 'Polygon', coordinates: [corners] });
const anchor = drawn({ symbol: 'anchor' }, { type: 'Point', coordinates: [24.3, 37.6, 12] });

async function exported(features: AnnotationFeature[], write = geoJsonText): Promise<string> {
  const annotation = {
    ...{
      _id: 'a0000000-0000-4000-8000-000000000001',
      title: 'Anchorage',
      description: 'of the harbour',
      tags: ['sea'],
    },
    ...{ author: 'ada', securityClassification: 'SECRET', restricted: false, creationTime: 1_790_000_000_000_000 },
    ...{ startTime: null, endTime: null, features },
  } as unknown as Annotation;
  async function* each() {
    yield annotation;
  }
  let text = '';
  for await (const part of write(each, 'SECRET')) text += part;
  return text;
}

const read = (text: string) => readAnnotations(Buffer.from(text), false);

describe('an export of annotations that is imported again', () => {
  it('has its figures, symbols and places as they were drawn, without the fields of the annotation as texts', async () => {
    const features = [circle, rings, sector, rectangle, anchor];
    const { parts, remarks } = await read(await exported(features));
    expect(parts[0]!.features).toEqual(features);
    expect(remarks).toEqual([]);
  });

  it('is free where its outline was changed elsewhere, because the old numbers would replace the change', async () => {
    const { geometry } = circle;
    const outline = geometry.coordinates[0] as number[][];
    const cut = [...outline.slice(0, 20), outline[0]!];
    const moved = outline.map((place, at) => (at === 9 ? [24.32, 37.67] : place));
    const leaning = corners.map((place, at) => (at === 2 ? [24.25, 37.6] : place));
    const changed = [
      { ...circle, geometry: { type: 'Polygon', coordinates: [moved] } },
      { ...circle, geometry: { type: 'Polygon', coordinates: [cut] } },
      { ...rings, geometry: { type: 'MultiLineString', coordinates: rings.geometry.coordinates.slice(1) } },
      { ...sector, properties: { ...sector.properties, bearingTo: 60 } },
      { ...rectangle, geometry: { type: 'Polygon', coordinates: [leaning] } },
      { ...circle, properties: { ...circle.properties, radius: -1 } },
    ] as AnnotationFeature[];
    const { parts } = await read(await exported(changed));
    expect(parts[0]!.features.map(({ properties }) => properties)).toEqual(changed.map(() => ({ stroke: '#F2C14E' })));
  });

  it.each([
    ['GeoJSON', geoJsonText],
    ['KML', kmlText],
    ['GPX', gpxText],
  ])('states its label in %s, and its places to the last digit', async (_format, write) => {
    const { securityClassification, parts } = await read(await exported([anchor], write));
    expect(securityClassification).toBe('SECRET');
    expect(parts[0]!.features[0]!.geometry).toEqual(anchor.geometry);
  });

  it('states no label that is none', async () => {
    const { securityClassification } = await read((await exported([anchor])).replaceAll('SECRET', 'COSMIC'));
    expect(securityClassification).toBeUndefined();
  });
});
