import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { expect, it } from 'vitest';
import { displayed } from '../../annotations/shape-layers.ts';
import { drawnGeometry, drawnLines } from './drawn.ts';
import { createEditor, firstStyle } from './editor.ts';
import type { Place } from './figures.ts';
import { hitShape } from './hit.ts';

const northing = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));
const latAt = (y: number) => (Math.atan(Math.sinh(y)) * 180) / Math.PI;

/** Latitudes at which a Mercator map draws lines at a meridian. */
function drawnAt(lines: readonly Place[][], meridian: number): number[] {
  return lines.flatMap((places) =>
    places.slice(1).flatMap(([lon = 0, lat = 0], at) => {
      const [fromLon = 0, fromLat = 0] = places[at]!;
      if (lon === fromLon || (lon - meridian) * (fromLon - meridian) > 0) return [];
      const share = (meridian - fromLon) / (lon - fromLon);
      return [latAt(northing(fromLat) + share * (northing(lat) - northing(fromLat)))];
    }),
  );
}

/** From 0 to 60 degrees: a straight side on the map would be at 35.0 in its middle in place of 30. */
const triangle: FeatureGeometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [60, 0],
      [60, 60],
      [0, 0],
    ],
  ],
};
const feature = (geometry: FeatureGeometry): AnnotationFeature => ({ type: 'Feature', properties: {}, geometry });

it('draws slanted sides where they are straight in degrees', () => {
  const [, high = 0] = drawnAt(drawnLines(triangle), 30).toSorted((a, b) => a - b);
  expect(Math.abs(high - 30)).toBeLessThan(0.0001);
  const [area, ...others] = displayed(feature(triangle), {});
  expect(others).toEqual([]);
  expect(area!.geometry).toEqual(drawnGeometry(triangle));
  // Its corners are rounded as those of a shape of three.
  expect(area!.properties).toMatchObject({ dense: false, part: 'area' });
});

it('draws lines across the antimeridian in the same way, and points unchanged', () => {
  const lines = drawnLines({
    type: 'MultiLineString',
    coordinates: [
      [
        [150, 0],
        [-150, 60],
      ],
    ],
  });
  expect(Math.abs(drawnAt(lines, 180)[0]! - 30)).toBeLessThan(0.0001);
  expect(lines[0]!.at(-1)).toEqual([210, 60]);
  const point: FeatureGeometry = { type: 'Point', coordinates: [170, 10, 5] };
  expect(drawnGeometry(point)).toBe(point);
});

it('lets the pointer hit a side where it is drawn', () => {
  const toPixel = ([lon = 0, lat = 0]: Place) => ({ x: lon * 10, y: -northing(lat) * 573 });
  const line = feature({
    type: 'LineString',
    coordinates: [
      [0, 0],
      [60, 60],
    ],
  });
  expect([hitShape(line, toPixel([30, 30]), toPixel), hitShape(line, toPixel([30, 35]), toPixel)]).toEqual([
    ...[true, false],
  ]);
  const editor = createEditor({ shapes: [line], style: firstStyle, limit: null });
  editor.down(toPixel([30, 30]), [30, 30], toPixel);
  editor.up(toPixel([30, 30]), [30, 30], toPixel);
  expect(editor.chosenShape()?.feature).toBe(line);
});
