import type { FoundSpan, TargetShape } from '@osprey/contract';
import { wrapLon } from '@osprey/geo';
import type { Feature } from 'geojson';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { darkPalette, lightPalette, type Scheme, stateColours } from '../../base/colours.ts';
import { paintBase } from '../../map/base-map.ts';
import { createBaseMap } from '../../map/create-map.ts';
import { attachDrawing, type ShapeMode } from '../../map/draw/drawing.ts';
import { hatchFor } from '../../map/hatch.ts';
import { haloOf, MAP_FONT } from '../../map/lettering.ts';
import { readMapProps } from '../../map/map-storage.ts';
import { openOnSite } from '../../map/site-extent.ts';
import { texts } from '../texts.ts';
import { featuresOf, PIXEL_M, positionsOf, type ShownShape, viewOf } from './find-shapes.ts';

type Options = {
  container: HTMLElement;
  scheme: Scheme;
  onDrawn: (shape: TargetShape) => void;
};

export type FindMap = {
  setMode: (mode: ShapeMode | 'static') => void;
  show: (shown: ShownShape | null, goThere: boolean) => void;
  /** Shows the ground areas of these spans, and highlights one of them. */
  showFound: (spans: readonly FoundSpan[], chosen: FoundSpan | null) => void;
  setScheme: (scheme: Scheme) => void;
  end: () => void;
};

const [TARGET, FOUND] = ['sought', 'found'] as const;
/** Maximum zoom at which a search begins. */
const FARTHEST = 9;
/** Maximum number of ground areas drawn at the same time. */
const VIEWS_MAX = 300;
/** Initial width of a corridor in metres, until the user enters another width in the field. */
const CORRIDOR_M = 1000;
const COORDINATES = 6;

/** Creates a map on which the user draws the queried shape, and which shows the ground areas that were found. */
export async function startFindMap({ container, scheme, onDrawn }: Options): Promise<FindMap> {
  const { center, zoom, moved } = readMapProps();
  const map = createBaseMap({ container, scheme, view: { center, zoom: Math.min(zoom, FARTHEST) } });
  if (!moved) openOnSite(map, FARTHEST);
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  const hatchOf = (of: Scheme) => hatchFor(map, stateColours.warning[of]);
  for (const id of [FOUND, TARGET]) map.addSource(id, { type: 'geojson', data: collection([]) });
  for (const layer of layersOf(scheme, hatchOf(scheme))) map.addLayer(layer);
  let mode: ShapeMode | 'static' = 'static';
  const attach = (of: Scheme) =>
    attachDrawing({
      map,
      scheme: of,
      onDrawn(polygon, circle) {
        // The drawing tool shows nothing, since the page draws the shape, whatever its source.
        drawing.show(null);
        if (circle === null) {
          const ring = (polygon.coordinates[0] ?? []).map(placed);
          return onDrawn({ type: 'Polygon', coordinates: [ring] });
        }
        onDrawn({ type: 'Circle', centre: placed(circle.centre), radiusM: Math.max(1, Math.round(circle.radiusM)) });
      },
      onPath(path) {
        if (path.type === 'Point') return onDrawn({ type: 'Point', coordinates: placed(path.coordinates) });
        const line = path.coordinates.map(placed);
        const widthM = Math.max(10, Math.round(pixelM(map) * 16)) || CORRIDOR_M;
        onDrawn({ type: 'Corridor', line, widthM });
      },
    });
  let drawing = attach(scheme);
  let painted = scheme;
  drawing.setMode(mode);

  return {
    setMode(next) {
      mode = next;
      drawing.setMode(next);
    },
    show(shown, goThere) {
      map.getSource<GeoJSONSource>(TARGET)?.setData(collection(shown ? featuresOf(shown) : []));
      if (shown && goThere) goTo(map, shown);
    },
    showFound(spans, chosen) {
      const views = spans.slice(0, VIEWS_MAX).map((span) => viewOf(span, span === chosen));
      map.getSource<GeoJSONSource>(FOUND)?.setData(collection(views));
    },
    setScheme(next) {
      if (next === painted) return;
      painted = next;
      paintBase(map, next);
      drawing.detach();
      drawing = attach(next);
      drawing.setMode(mode);
      for (const { id, paint } of layersOf(next, hatchOf(next))) {
        for (const [name, value] of Object.entries(paint ?? {}))
          map.setPaintProperty(id, name as never, value as never);
      }
    },
    end() {
      drawing.detach();
      map.remove();
    },
  };
}

const collection = (features: Feature[]) => ({ type: 'FeatureCollection' as const, features });

/** Returns a position in the form that the server accepts, even if it was drawn across the antimeridian. */
function placed([lon = 0, lat = 0]: readonly number[]): [number, number] {
  const round = (degrees: number) => Number(degrees.toFixed(COORDINATES));
  return [round(wrapLon(lon)), round(lat)];
}

const pixelM = (map: MapLibreMap): number =>
  (PIXEL_M * Math.cos((map.getCenter().lat * Math.PI) / 180)) / 2 ** map.getZoom();

function goTo(map: MapLibreMap, shown: ShownShape) {
  const positions = featuresOf(shown).flatMap(({ geometry }) => positionsOf(geometry));
  if (positions.length === 0) return;
  const ends = (axis: 0 | 1): [number, number] =>
    positions.reduce(
      ([least, most], one) => [Math.min(least, one[axis]!), Math.max(most, one[axis]!)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
  const [lon, lat] = [ends(0), ends(1)];
  map.fitBounds(
    [
      [lon[0], lat[0]],
      [lon[1], lat[1]],
    ],
    { padding: 80, maxZoom: 14, animate: false },
  );
}

function layersOf(scheme: Scheme, hatch: string): Exclude<LayerSpecification, { type: 'background' }>[] {
  const accent = (scheme === 'dark' ? darkPalette : lightPalette).primary.main;
  const found = stateColours.warning[scheme];
  const isChosen = ['get', 'chosen'] as never;
  const ink = scheme === 'dark' ? '#FFFFFF' : '#171C23';
  return [
    {
      id: 'found-fill',
      type: 'fill',
      source: FOUND,
      paint: { 'fill-color': found, 'fill-opacity': ['case', isChosen, 0.3, 0.04] },
    },
    {
      id: 'found-hatch',
      type: 'fill',
      source: FOUND,
      filter: ['has', 'approximate'],
      paint: { 'fill-pattern': hatch, 'fill-opacity': ['case', isChosen, 0.8, 0.3] },
    },
    {
      id: 'found-line',
      type: 'line',
      source: FOUND,
      paint: {
        'line-color': found,
        'line-width': ['case', isChosen, 2.5, 1],
        'line-opacity': ['case', isChosen, 1, 0.5],
      },
    },
    {
      id: 'found-point',
      type: 'circle',
      source: FOUND,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': found,
        'circle-opacity': ['case', isChosen, 1, 0.5],
        'circle-radius': ['case', isChosen, 6, 4],
        'circle-stroke-color': found,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'found-approximate',
      type: 'symbol',
      source: FOUND,
      filter: ['all', ['has', 'approximate'], isChosen],
      layout: { ...MAP_FONT, 'text-size': 12, 'text-field': texts.approximate },
      paint: { 'text-color': ink, ...haloOf(scheme) },
    },
    {
      id: 'sought-fill',
      type: 'fill',
      source: TARGET,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': accent, 'fill-opacity': 0.15 },
    },
    {
      id: 'sought-corridor',
      type: 'line',
      source: TARGET,
      filter: ['has', 'pixels'],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': accent,
        'line-opacity': 0.25,
        'line-width': [
          'interpolate',
          ['exponential', 2],
          ['zoom'],
          0,
          ['get', 'pixels'],
          24,
          ['*', ['get', 'pixels'], 2 ** 24],
        ],
      },
    },
    {
      id: 'sought-line',
      type: 'line',
      source: TARGET,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': accent, 'line-width': 2 },
    },
    {
      id: 'sought-point',
      type: 'circle',
      source: TARGET,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': accent,
        'circle-radius': 6,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': 2,
      },
    },
  ];
}
