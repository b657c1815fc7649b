// @vitest-environment jsdom
import type { AnnotationFeature } from '@osprey/contract';
import { expect, it } from 'vitest';
import { createEditor, firstStyle } from '../../map/draw/editor.ts';
import type { Place } from '../../map/draw/figures.ts';
import type { Pixel } from '../../map/draw/hit.ts';
import { labelledDraft } from './editor-map.ts';
import { sizeText } from './measure.ts';

it('shows the area of the polygon that is drawn, and the distance and bearing that are measured', () => {
  /** 100 px over one degree, from 0° E, 10° N. */
  const toPixel = ([lon = 0, lat = 0]: Place): Pixel => ({ x: lon * 100, y: (10 - lat) * 100 });
  const placeOf = ({ x, y }: Pixel): Place => [x / 100, 10 - y / 100];
  const editor = createEditor({ shapes: [], style: firstStyle, limit: { features: 5, vertices: 100 } });
  const press = (x: number, y: number) => {
    editor.move({ x, y }, placeOf({ x, y }));
    editor.down({ x, y }, placeOf({ x, y }), toPixel);
    editor.up({ x, y }, placeOf({ x, y }), toPixel);
  };
  const shown = () =>
    (labelledDraft(editor.get(), 'km') as { properties: { label?: string } }[]).flatMap(
      ({ properties }) => properties.label ?? [],
    );
  const point = (x: number, y: number) => editor.move({ x, y }, placeOf({ x, y }));
  editor.setTool('polygon');
  press(100, 100);
  press(200, 100);
  point(200, 200);
  // Half a square of one degree, 9° from the equator.
  expect(shown()).toEqual([expect.stringMatching(/^6.[01]\d\d(\.\d)? sq\. km$/)]); // S2-344

  editor.setTool('measure');
  press(100, 100);
  point(100, 200);
  expect(shown()).toEqual([expect.stringMatching(/^11[01]\.\d km, 180°/)]); // S2-346
});

const square: AnnotationFeature = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [1, 9],
        [3, 9],
        [3, 7],
        [1, 7],
        [1, 9],
      ],
    ],
  },
};

it('says what a shape measures in nm, km and m', () => {
  const line: AnnotationFeature = {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [0, 1],
      ],
    },
  };
  expect([sizeText(line, 'nm'), sizeText(line, 'km'), sizeText(line, 'm')]).toEqual([
    '60.0 nm',
    '111.2 km',
    '111\u202f195 m',
  ]);
  expect(sizeText(square, 'nm')).toMatch(/^[\d.\u202f]+ sq\. km \([\d.\u202f]+ sq\. nm\)$/);
});
