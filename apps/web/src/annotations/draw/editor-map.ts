import type { AnnotationFeature } from '@osprey/contract';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';
import { dotOf, draftOf } from '../../map/draw/draft.ts';
import { drawnFeature } from '../../map/draw/drawn.ts';
import type { Editor, EditorState } from '../../map/draw/editor.ts';
import type { Place } from '../../map/draw/figures.ts';
import { handlesOf } from '../../map/draw/handles.ts';
import { passPointer, pixelsOf } from '../../map/draw/pointer.ts';
import { haloOf, MAP_FONT } from '../../map/lettering.ts';
import { displayed, shapeLayers, symbolsFor } from '../shape-layers.ts';
import { areaOf, formatLeg, formatLength, formatSquare, type LengthUnit, totalM } from './measure.ts';

type Options = {
  /** Any map whose style has loaded. */
  map: MapLibreMap;
  editor: Editor;
  scheme: Scheme;
  unit: LengthUnit;
  /** Called with the position under the pointer in degrees; null if there is none. */
  onPointer: (place: Place | null) => void;
};

export type EditorMap = { setUnit: (unit: LengthUnit) => void; detach: () => void };

const [OTHERS, CHOSEN, HANDLES, DRAFT] = ['edit-others', 'edit-chosen', 'edit-handles', 'edit-draft'] as const;
/** Maximum number of handles drawn at a time; of a long line, only those in view are drawn. */
const HANDLES_MAX = 400;
const MOVE_PX = 4;

/**
 * Draws the shapes of an editor on a map, and passes pointer and key events to the editor. Detaching restores the map
 * to its previous state.
 */
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

  const toPixel = pixelsOf(map);
  const setData = (id: string, features: unknown[]) =>
    map.getSource<GeoJSONSource>(id)?.setData(collection(features) as never);

  function draw() {
    const state = editor.get();
    const { shapes, chosen, tool, path, pointer, vertex } = state;
    if (shapes !== drawn.shapes || chosen !== drawn.chosen) {
      const others = shapes.filter(({ id }) => id !== chosen);
      // While a shape is dragged, the others do not change, so they are not sent to the map again.
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
    setData(DRAFT, isDrawing ? labelledDraft({ tool, path, pointer }, unit) : []);
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

  const onZoom = () => drawHandlesAgain();
  const drawHandlesAgain = () => {
    if (editor.chosenShape() !== null) draw();
  };
  const endPointer = passPointer({ map, editor, onPointer });
  map.on('moveend', onZoom);
  const unsubscribe = editor.subscribe(draw);
  draw();

  return {
    setUnit(next) {
      unit = next;
      drawn = {};
      draw();
    },
    detach() {
      unsubscribe();
      map.off('moveend', onZoom);
      endPointer();
      for (const { id } of layers) map.removeLayer(id);
      for (const id of [OTHERS, CHOSEN, HANDLES, DRAFT]) map.removeSource(id);
      icons.stop();
      canvas.style.cursor = '';
      if (wasDoubleClick) map.doubleClickZoom.enable();
    },
  };
}

const collection = (features: unknown[]) => ({ type: 'FeatureCollection' as const, features: features as never[] });

const same = (a: readonly number[], b: readonly number[] | null): boolean => `${a}` === `${b ?? 'none'}`;

/** Whether these are the same shapes as those drawn before, apart from the selected one. */
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

/**
 * Returns the features of the shape that is being drawn or measured, with bearings and lengths of its legs, and its
 * area or total length.
 */
export function labelledDraft(state: Pick<EditorState, 'tool' | 'path' | 'pointer'>, unit: LengthUnit): unknown[] {
  const { tool, path } = state;
  const { places, feature } = draftOf(state);
  const dots = path.map(dotOf);
  const [last, end] = [places.at(-2), places.at(-1)];
  if (feature === null || last === undefined || end === undefined) return dots;
  return [
    drawnFeature(feature),
    ...dots,
    { type: 'Feature', geometry: { type: 'Point', coordinates: end }, properties: { label: draftLabel() } },
  ];

  function draftLabel(): string {
    const area = tool === 'rectangle' || tool === 'polygon' ? areaOf(feature!) : null;
    if (area !== null) return formatSquare(area, unit);
    const leg = formatLeg(last!, end!, unit);
    return places.length > 2 && tool !== 'sector' ? `${leg}\nΣ ${formatLength(totalM(places), unit)}` : leg;
  }
}

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
        ...{ 'text-field': ['get', 'label'], ...MAP_FONT, 'text-size': 12 },
        ...{ 'text-anchor': 'left', 'text-offset': [1, -0.6], 'text-justify': 'left', 'text-allow-overlap': true },
      },
      paint: { 'text-color': ink, ...haloOf(scheme) },
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
