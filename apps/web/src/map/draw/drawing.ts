import type { AnnotationFeature } from '@osprey/contract';
import { withNarrowEdges } from '@osprey/geo';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import type { AreaPolygon } from './area.ts';
import { dotOf, draftOf } from './draft.ts';
import { drawnFeature, drawnGeometry } from './drawn.ts';
import { createEditor, firstStyle } from './editor.ts';
import type { Place } from './figures.ts';
import { counterClockwise, mapGeometry } from './geometry.ts';
import { passPointer } from './pointer.ts';

export type DrawMode = 'rectangle' | 'polygon';
export type ShapeMode = DrawMode | 'point' | 'circle' | 'line';

export type DrawnPath = { type: 'Point'; coordinates: number[] } | { type: 'LineString'; coordinates: number[][] };
export type DrawnCircle = { centre: Place; radiusM: number };

export type Drawing = {
  /** Sets the drawing tool. `static`: nothing is drawn, and the map can be moved as usual. */
  setMode: (mode: ShapeMode | 'static') => void;
  /** Replaces the drawing with this polygon; null: removes it. */
  show: (polygon: AreaPolygon | null) => void;
  /** Removes the drawing with its listeners and layers, which restores the map to its previous state. */
  detach: () => void;
};

type Options = {
  /** Any map whose style has been loaded and that has no other drawing. */
  map: MapLibreMap;
  scheme: Scheme;
  /**
   * Called when a shape is finished; it replaces the previous one. Longitudes may exceed ±180; the outline is
   * counter-clockwise.
   */
  onDrawn: (polygon: AreaPolygon, circle: DrawnCircle | null) => void;
  /** Called when a point or a line is finished; these do not remain on the map. */
  onPath?: (path: DrawnPath) => void;
};

const DRAWING = 'drawing';
const DECIMALS = 7;

/** Attaches tools to a map that draw an area by mouse or touch. Enter finishes a shape, Esc cancels it. */
export function attachDrawing({ map, scheme, onDrawn, onPath }: Options): Drawing {
  const canvas = map.getCanvas();
  const wasDoubleClick = map.doubleClickZoom.isEnabled();
  let shown: AreaPolygon | null = null;
  const editor = createEditor({
    shapes: [],
    style: firstStyle,
    limit: { features: 1, vertices: Number.POSITIVE_INFINITY },
    take: applyShape,
  });
  map.addSource(DRAWING, { type: 'geojson', data: collection([]) });
  const layers = layersOf(scheme);
  for (const layer of layers) map.addLayer(layer);
  const endPointer = passPointer({ map, editor });
  const endDraft = editor.subscribe(draw);
  canvas.addEventListener('keydown', onKeyDown);

  function draw() {
    const { path, ...state } = editor.get();
    const { feature } = draftOf({ ...state, path });
    map
      .getSource<GeoJSONSource>(DRAWING)
      ?.setData(
        collection([
          ...(shown ? [{ type: 'Feature', geometry: drawnGeometry(shown), properties: {} }] : []),
          ...(feature ? [drawnFeature(feature)] : []),
          ...path.map(dotOf),
        ]),
      );
  }

  function applyShape({ geometry: exact, properties: { centre, radius } }: AnnotationFeature) {
    const geometry = mapGeometry(exact, (place) => place.map((value) => Number(value.toFixed(DECIMALS))));
    if (geometry.type === 'Point' || geometry.type === 'LineString') return onPath?.(geometry);
    if (geometry.type !== 'Polygon') return;
    const rings = geometry.coordinates.map((ring) => withNarrowEdges(counterClockwise(ring)));
    const polygon: AreaPolygon = { type: 'Polygon', coordinates: rings };
    show(polygon);
    onDrawn(polygon, centre && radius !== undefined ? { centre, radiusM: radius } : null);
  }

  function show(polygon: AreaPolygon | null) {
    shown = polygon;
    draw();
  }

  /** An Escape that cancels a shape must not close the dialog around the map. */
  function onKeyDown(event: KeyboardEvent) {
    if (editor.get().path.length === 0) return;
    const isDone = event.key === 'Escape' ? editor.cancel() : event.key === 'Enter' && editor.finish();
    if (isDone) event.stopPropagation();
  }

  function restore() {
    canvas.style.cursor = '';
    if (wasDoubleClick) map.doubleClickZoom.enable();
  }

  return {
    setMode(mode) {
      editor.setTool(mode === 'static' ? 'select' : mode);
      if (mode === 'static') return restore();
      canvas.style.cursor = 'crosshair';
      // Double click must not zoom, since two clicks at the same place finish a polygon.
      map.doubleClickZoom.disable();
    },
    show,
    detach() {
      endDraft();
      endPointer();
      canvas.removeEventListener('keydown', onKeyDown);
      for (const { id } of layers) map.removeLayer(id);
      map.removeSource(DRAWING);
      restore();
    },
  };
}

const collection = (features: unknown[]) => ({ type: 'FeatureCollection' as const, features: features as never[] });

function layersOf(scheme: Scheme): LayerSpecification[] {
  const accent = (scheme === 'dark' ? darkPalette : lightPalette).primary.main;
  return [
    {
      id: `${DRAWING}-fill`,
      type: 'fill',
      source: DRAWING,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': accent, 'fill-opacity': 0.15 },
    },
    {
      id: `${DRAWING}-line`,
      type: 'line',
      source: DRAWING,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': accent, 'line-width': 2 },
    },
    {
      id: `${DRAWING}-dot`,
      type: 'circle',
      source: DRAWING,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': accent,
        'circle-radius': 5,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 1,
      },
    },
  ];
}
