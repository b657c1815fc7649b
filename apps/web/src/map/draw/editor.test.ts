// @vitest-environment jsdom
import type { AnnotationFeature } from '@osprey/contract';
import { distanceM } from '@osprey/geo';
import { describe, expect, it } from 'vitest';
import { createEditor, firstStyle } from './editor.ts';
import { type Place, pointOf } from './figures.ts';
import { handlesOf } from './handles.ts';
import type { Pixel } from './hit.ts';

/** A map of 100 px over one degree, whose corner is 0° E, 10° N. */
const toPixel = ([lon = 0, lat = 0]: Place): Pixel => ({ x: lon * 100, y: (10 - lat) * 100 });
const placeOf = ({ x, y }: Pixel): Place => [x / 100, 10 - y / 100];

function drawing(shapes: readonly AnnotationFeature[] = [], readOnly = false) {
  const editor = createEditor({ shapes, style: firstStyle, limit: readOnly ? null : { features: 5, vertices: 100 } });
  const press = (x: number, y: number) => {
    editor.move({ x, y }, placeOf({ x, y }));
    editor.down({ x, y }, placeOf({ x, y }), toPixel);
    editor.up({ x, y }, placeOf({ x, y }), toPixel);
  };
  const drag = (from: Pixel, to: Pixel) => {
    const holds = editor.down(from, placeOf(from), toPixel);
    editor.move(to, placeOf(to));
    editor.up(to, placeOf(to), toPixel);
    return holds;
  };
  const geometry = (index = 0) => editor.features()[index]!.geometry;
  return { editor, press, drag, geometry };
}

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

describe('drawing', () => {
  it('draws a rectangle by two corners and a polyline until Enter, with the style of the last shape', () => {
    const { editor, press, geometry } = drawing();
    editor.setProperties({ stroke: '#112233', 'stroke-width': 7 });
    editor.setTool('rectangle');
    press(100, 100);
    press(300, 200);
    editor.setTool('line');
    press(100, 300);
    press(200, 300);
    press(300, 350);
    expect(editor.finish()).toBe(true);

    expect(geometry(0)).toMatchObject({ type: 'Polygon' });
    expect(geometry(1)).toEqual({
      type: 'LineString',
      coordinates: [
        [1, 7],
        [2, 7],
        [3, 6.5],
      ],
    });
    expect(editor.features()[1]!.properties).toEqual({ stroke: '#112233', 'stroke-width': 7, 'stroke-opacity': 1 });
    expect(editor.get()).toMatchObject({ tool: 'select', chosen: editor.get().shapes[1]!.id });
  });

  it('refuses a side that crosses another, and a polygon whose last side would', () => {
    const { editor, press } = drawing();
    editor.setTool('polygon');
    press(100, 100);
    press(300, 100);
    press(300, 300);
    press(200, 50);
    expect(editor.get()).toMatchObject({ refused: 'crosses' });
    expect(editor.get().path).toHaveLength(3);
    press(400, 300);
    press(400, 200);
    press(200, 200);
    expect(editor.get().refused).toBe('crosses');
    press(100, 100);
    expect([editor.get().refused, editor.features()]).toEqual(['crosses', []]);
    editor.remove();
    editor.remove();
    press(100, 100);
    expect(editor.features()).toHaveLength(1);
  });

  it('keeps a circle as a ring of 64 vertices at its radius, with radius and centre, over the antimeridian and near a pole too', () => {
    for (const centre of [
      [2, 8],
      [179.9, 10],
      [30, 89.5],
    ]) {
      const { editor } = drawing();
      editor.draw({
        type: 'Feature',
        properties: { shape: 'circle', centre, radius: 100_000 },
        geometry: { type: 'Point', coordinates: centre },
      });
      const [made] = editor.features();
      expect(editor.setFeature(made!)).toBe(true);
    }
    const { editor, press, geometry } = drawing();
    editor.setTool('circle');
    press(200, 200);
    press(300, 200);
    const { properties } = editor.features()[0]!;
    const ring = (geometry() as { coordinates: Place[][] }).coordinates[0]!;
    expect([ring.length, new Set(ring.map(String)).size]).toEqual([65, 64]);
    expect(properties).toMatchObject({ shape: 'circle', centre: [2, 8] });
    for (const place of ring) {
      expect(distanceM(pointOf(place), pointOf(properties.centre!)) / properties.radius!).toBeCloseTo(1, 4);
    }
  });

  it('draws range rings and a sector from its bearings', () => {
    const { editor, press } = drawing();
    editor.setTool('rings');
    press(200, 200);
    press(300, 200);
    editor.setTool('sector');
    press(500, 500);
    press(500, 400);
    press(600, 500);
    const [rings, sector] = editor.features();

    expect(rings!.geometry).toMatchObject({ type: 'MultiLineString' });
    expect(rings!.properties).toMatchObject({ shape: 'rings', ringCount: 3 });
    expect(sector!.properties).toMatchObject({ shape: 'sector', bearingFrom: 0 });
    expect(sector!.properties.bearingTo).toBeGreaterThan(89);
  });

  it('measures without keeping anything', () => {
    const { editor, press } = drawing();
    editor.setTool('measure');
    press(100, 100);
    press(300, 100);
    expect(editor.get().path).toHaveLength(2);
    editor.finish();
    expect([editor.features(), editor.get().path]).toEqual([[], []]);
  });
});

describe('changing', () => {
  it('keeps the height of a vertex that is moved', () => {
    const coordinates = [
      [1, 9, 120],
      [3, 9, 140],
    ];
    const { press, drag, geometry } = drawing([
      { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } },
    ]);
    press(200, 100);
    drag({ x: 300, y: 100 }, { x: 300, y: 200 });
    expect(geometry().coordinates).toEqual([
      [1, 9, 120],
      [3, 8, 140],
    ]);
  });

  it('chooses a shape inside or at its line, moves it, and moves, adds and removes vertices', () => {
    const { editor, press, drag, geometry } = drawing([square]);
    press(500, 500);
    expect(editor.get().chosen).toBeNull();
    press(200, 200);
    expect(editor.get().chosen).not.toBeNull();

    drag({ x: 200, y: 200 }, { x: 300, y: 200 });
    expect(geometry()).toMatchObject({
      coordinates: [
        [
          [2, 9],
          [4, 9],
          [4, 7],
          [2, 7],
          [2, 9],
        ],
      ],
    });
    drag({ x: 200, y: 100 }, { x: 150, y: 50 });
    expect(geometry()).toMatchObject({
      coordinates: [
        [
          [1.5, 9.5],
          [4, 9],
          [4, 7],
          [2, 7],
          [1.5, 9.5],
        ],
      ],
    });
    drag({ x: 400, y: 200 }, { x: 500, y: 200 });
    expect((geometry() as { coordinates: Place[][] }).coordinates[0]).toContainEqual([5, 8]);
    press(500, 200);
    editor.remove();
    expect((geometry() as { coordinates: Place[][] }).coordinates[0]).not.toContainEqual([5, 8]);
  });

  it('takes a vertex back that would make the polygon cross itself', () => {
    const { editor, press, drag, geometry } = drawing([square]);
    press(200, 200);
    const before = geometry();
    drag({ x: 100, y: 100 }, { x: 350, y: 200 });

    expect(geometry()).toEqual(before);
    expect(editor.get()).toMatchObject({ refused: 'crosses', canUndo: false });
  });

  it('undoes and does again step by step; a slider that is moved is one step', () => {
    const { editor, press } = drawing([square]);
    press(200, 200);
    for (const width of [4, 5, 6]) editor.setProperties({ 'stroke-width': width });
    editor.copy(1);
    editor.removeShape();
    expect(editor.features()).toHaveLength(1);

    editor.undo();
    expect(editor.features()).toHaveLength(2);
    editor.undo();
    editor.undo();
    expect(editor.features()[0]!.properties).toEqual({});
    expect(editor.get().canUndo).toBe(false);
    editor.redo();
    expect(editor.features()[0]!.properties).toEqual({ 'stroke-width': 6 });
    editor.redo();
    expect(editor.features()).toHaveLength(2);
  });

  it('reshapes a figure by its centre, radius and bearings', () => {
    const { editor, press, drag } = drawing();
    editor.setTool('circle');
    press(200, 200);
    press(300, 200);
    const before = editor.features()[0]!.properties.radius!;
    const [, radius] = handlesOf(editor.chosenShape()!.feature);
    const at = toPixel(radius!.place);
    drag(at, { x: at.x + 100, y: at.y });
    expect(editor.features()[0]!.properties.radius! / before).toBeCloseTo(2, 1);
    drag({ x: 200, y: 200 }, { x: 300, y: 300 });
    expect(editor.features()[0]!.properties.centre).toEqual([3, 7]);
  });

  it('takes no more shapes than there may be, and changes nothing that is only to be looked at', () => {
    const { editor } = drawing([square, square, square, square]);
    expect(editor.add([square, square])).toBe(false);
    expect(editor.draw(square)).toBe(true);
    expect(editor.draw(square)).toBe(false);

    const shown = drawing([square], true);
    shown.press(200, 200);
    shown.drag({ x: 200, y: 200 }, { x: 300, y: 200 });
    shown.editor.removeShape();
    expect(shown.geometry()).toEqual(square.geometry);
  });
});
