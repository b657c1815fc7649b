import type { AnnotationFeature } from '@osprey/contract';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';
import { type Editor, type EditorState, figureOf } from '../../map/draw/editor.ts';
import type { Place } from '../../map/draw/figures.ts';
import { handlesOf } from '../../map/draw/handles.ts';
import type { Pixel } from '../../map/draw/hit.ts';
import { displayed, shapeLayers, symbolsFor } from '../shape-layers.ts';
import { areaOf, formatLeg, formatLength, formatSquare, type LengthUnit, totalM } from './measure.ts';

type Options = {
  /** Any map whose style has loaded. */
  map: MapLibreMap;
  editor: Editor;
  scheme: Scheme;
  unit: LengthUnit;
  /** Degrees under the pointer; null where there is none. */
  onPointer: (place: Place | null) => void;
};

export type EditorMap = { setUnit: (unit: LengthUnit) => void; detach: () => void };

const [OTHERS, CHOSEN, HANDLES, DRAFT] = ['edit-others', 'edit-chosen', 'edit-handles', 'edit-draft'] as const;
/** Handles of a long line that are drawn at once: those in view. */
const HANDLES_MAX = 400;
const MOVE_PX = 4;

/** Draws an editor's shapes on a map, and passes pointer and keys to it. Detached, the map is as it was. */
export function attachEditor({ map, editor, scheme, unit: firstUnit, onPointer }: Options): EditorMap {
  const canvas = map.getCanvas();
  const wasDoubleClick = map.doubleClickZoom.isEnabled();
  map.doubleClickZoom.disable();
  const icons = symbolsFor(map);
  for (const id of [OTHERS, CHOSEN, HANDLES, DRAFT]) map.addSource(id, { type: 'geojson', data: collection([]) });
  const layers = layersOf(scheme);
  for (const layer of layers) map.addLayer(layer);
  let unit = firstUnit;
  let drawn: Partial<EditorState> = {};
  let holds = false;
  let pressedId: number | null = null;

  const toPixel = (place: Place): Pixel => map.project([place[0]!, place[1]!]);
  const setData = (id: string, features: unknown[]) =>
    map.getSource<GeoJSONSource>(id)?.setData(collection(features) as never);

  function draw() {
    const state = editor.get();
    const { shapes, chosen, tool, path, pointer, vertex } = state;
    if (shapes !== drawn.shapes || chosen !== drawn.chosen) {
      const others = shapes.filter(({ id }) => id !== chosen);
      // While one is dragged the others stay: they are not sent to the map again.
      if (!sameShapes(others, drawn.shapes, drawn.chosen ?? null)) {
        setData(
          OTHERS,
          others.flatMap(({ feature, id }) => displayed(feature, { id, label: labelOf(feature) })),
        );
      }
      const own = editor.chosenShape();
      setData(CHOSEN, own ? displayed(own.feature, { id: own.id, label: labelOf(own.feature) }) : []);
    }
    drawHandles();
    const isDrawing = tool !== 'select';
    canvas.style.cursor = isDrawing ? 'crosshair' : '';
    setData(DRAFT, isDrawing ? draftOf({ tool, path, pointer }, unit) : []);
    drawn = state;

    function drawHandles() {
      const own = editor.chosenShape();
      if (own === null) return setData(HANDLES, []);
      const { stroke = '#F2C14E' } = own.feature.properties;
      const handles = handlesOf(own.feature).filter(
        (handle, _index, all) => all.length <= HANDLES_MAX || inView(handle.place),
      );
      setData(
        HANDLES,
        handles.slice(0, HANDLES_MAX).map(({ kind, place, ...rest }) => ({
          type: 'Feature',
          geometry: { type: 'Point', coordinates: place },
          properties: { kind, stroke, own: 'path' in rest && kind === 'vertex' && same(rest.path, vertex) },
        })),
      );
    }
  }

  function inView(place: Place): boolean {
    const { x, y } = toPixel(place);
    const { clientWidth, clientHeight } = map.getContainer();
    return x >= -20 && y >= -20 && x <= clientWidth + 20 && y <= clientHeight + 20;
  }

  const labelOf = (feature: AnnotationFeature): string => {
    const { featureTitle = '', title } = feature.properties;
    const area = areaOf(feature);
    return [featureTitle || title, area === null ? '' : formatSquare(area, unit)].filter(Boolean).join('\n');
  };

  function placeOf(event: PointerEvent): { pixel: Pixel; place: Place } {
    const { left, top } = canvas.getBoundingClientRect();
    const pixel = { x: event.clientX - left, y: event.clientY - top };
    const { lng, lat } = map.unproject([pixel.x, pixel.y]);
    return { pixel, place: [lng, lat] };
  }

  function onDown(event: PointerEvent) {
    if (!event.isPrimary || event.button !== 0) return;
    const { pixel, place } = placeOf(event);
    pressedId = event.pointerId;
    holds = editor.down(pixel, place, toPixel);
    if (!holds) return;
    map.dragPan.disable();
    // Let go of outside the map, a shape would go on following the pointer.
    canvas.setPointerCapture(event.pointerId);
  }

  function onMove(event: PointerEvent) {
    if (!event.isPrimary) return;
    const { pixel, place } = placeOf(event);
    editor.move(pixel, place);
    onPointer(place);
  }

  function onUp(event: PointerEvent) {
    if (event.pointerId !== pressedId) return;
    pressedId = null;
    const { pixel, place } = placeOf(event);
    editor.up(pixel, place, toPixel);
    if (holds) map.dragPan.enable();
    holds = false;
  }

  function onLeave() {
    editor.leave();
    onPointer(null);
  }

  const onZoom = () => drawHandlesAgain();
  const drawHandlesAgain = () => {
    if (editor.chosenShape() !== null) draw();
  };
  const listeners = [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onUp],
    ['pointerleave', onLeave],
  ] as const;
  for (const [name, listener] of listeners) canvas.addEventListener(name, listener as EventListener);
  map.on('moveend', onZoom);
  const leave = editor.subscribe(draw);
  draw();

  return {
    setUnit(next) {
      unit = next;
      drawn = {};
      draw();
    },
    detach() {
      leave();
      map.off('moveend', onZoom);
      for (const [name, listener] of listeners) canvas.removeEventListener(name, listener as EventListener);
      for (const { id } of layers) map.removeLayer(id);
      for (const id of [OTHERS, CHOSEN, HANDLES, DRAFT]) map.removeSource(id);
      icons.stop();
      canvas.style.cursor = '';
      map.dragPan.enable();
      if (wasDoubleClick) map.doubleClickZoom.enable();
    },
  };
}

const collection = (features: unknown[]) => ({ type: 'FeatureCollection' as const, features: features as never[] });

const same = (a: readonly number[], b: readonly number[] | null): boolean => `${a}` === `${b ?? 'none'}`;

/** Whether these are the shapes that were drawn as the others before. */
function sameShapes(
  others: EditorState['shapes'],
  before: EditorState['shapes'] | undefined,
  chosenBefore: number | null,
): boolean {
  const drawnBefore = before?.filter(({ id }) => id !== chosenBefore);
  return (
    drawnBefore !== undefined &&
    drawnBefore.length === others.length &&
    others.every((one, index) => one.feature === drawnBefore[index]?.feature && one.id === drawnBefore[index]?.id)
  );
}

/** The shape that is being drawn or measured, with the legs' bearings and lengths, and its area or sum. */
export function draftOf(
  { tool, path, pointer }: Pick<EditorState, 'tool' | 'path' | 'pointer'>,
  unit: LengthUnit,
): unknown[] {
  const places = pointer === null || path.length === 0 ? path : [...path, pointer];
  const dots = path.map((place) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: place },
    properties: { kind: 'vertex' },
  }));
  const [last, end] = [places.at(-2), places.at(-1)];
  if (last === undefined || end === undefined) return dots;
  const figure = figureOf(tool, tool === 'sector' && places.length === 2 ? [] : places);
  const shown: unknown = figure?.geometry ?? {
    type: tool === 'polygon' && places.length > 2 ? 'Polygon' : 'LineString',
    coordinates: tool === 'polygon' && places.length > 2 ? [[...places, places[0]]] : places,
  };
  return [
    { type: 'Feature', geometry: shown, properties: {} },
    ...dots,
    { type: 'Feature', geometry: { type: 'Point', coordinates: end }, properties: { label: draftLabel() } },
  ];

  function draftLabel(): string {
    if (tool === 'rectangle' || (tool === 'polygon' && places.length > 2)) {
      const ring = tool === 'rectangle' ? figure! : polygonOf(places);
      return formatSquare(areaOf(ring) ?? 0, unit);
    }
    const leg = formatLeg(last!, end!, unit);
    return places.length > 2 && tool !== 'sector' ? `${leg}\nΣ ${formatLength(totalM(places), unit)}` : leg;
  }
}

const polygonOf = (places: readonly Place[]): AnnotationFeature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: [[...places, places[0]!]] },
});

function layersOf(scheme: Scheme): LayerSpecification[] {
  const { sea, text } = chartColours[scheme];
  const ink = scheme === 'dark' ? '#FFFFFF' : '#171C23';
  return [
    ...shapeLayers(OTHERS, scheme),
    ...shapeLayers(CHOSEN, scheme),
    {
      id: 'edit-draft-fill',
      type: 'fill',
      source: DRAFT,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': ink, 'fill-opacity': 0.08 },
    },
    {
      id: 'edit-draft-line',
      type: 'line',
      source: DRAFT,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': ink, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'edit-draft-dot',
      type: 'circle',
      source: DRAFT,
      filter: ['==', ['get', 'kind'], 'vertex'],
      paint: { 'circle-color': ink, 'circle-radius': MOVE_PX, 'circle-stroke-color': sea, 'circle-stroke-width': 1 },
    },
    {
      id: 'edit-draft-label',
      type: 'symbol',
      source: DRAFT,
      filter: ['has', 'label'],
      layout: {
        ...{ 'text-field': ['get', 'label'], 'text-font': ['sans-serif'], 'text-size': 12 },
        ...{ 'text-anchor': 'left', 'text-offset': [1, -0.6], 'text-justify': 'left', 'text-allow-overlap': true },
      },
      paint: { 'text-color': ink, 'text-halo-color': sea, 'text-halo-width': 2 },
    },
    {
      id: 'edit-handles',
      type: 'circle',
      source: HANDLES,
      paint: {
        'circle-color': [
          'case',
          ['get', 'own'],
          ['get', 'stroke'],
          ['==', ['get', 'kind'], 'middle'],
          ['get', 'stroke'],
          sea,
        ],
        'circle-radius': ['case', ['==', ['get', 'kind'], 'middle'], 3, 5.5],
        'circle-stroke-color': [
          'case',
          ['==', ['get', 'kind'], 'middle'],
          sea,
          ['get', 'own'],
          text,
          ['get', 'stroke'],
        ],
        'circle-stroke-width': ['case', ['==', ['get', 'kind'], 'middle'], 0.5, 2],
      },
    },
  ];
}
