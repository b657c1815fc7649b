import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap, SourceSpecification } from 'maplibre-gl';
import { chartColours, type Scheme } from '../app/colours.ts';
import { onceZoomed } from './onceZoomed.ts';

/** Files of the build (`tools/base-map`); the map's own worker reads them. */
const FILES = { borders: '/base-map/borders.geojson', cities: '/base-map/cities.geojson' } as const;
const TOWNS = { source: 'towns', file: '/base-map/towns.geojson' } as const;
/** From here on towns have room. */
const TOWN_ZOOM = 7;
/** Beyond this zoom a tile is no finer. */
const FINEST_TILE = 10;

export const NAME_LAYERS = ['borders', 'towns', 'cities'] as const;

/** Empty, so that the first paint needs no file. */
export function nameSources(): Record<string, SourceSpecification> {
  const empty = (): SourceSpecification => ({
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    maxzoom: FINEST_TILE,
  });
  return { borders: empty(), cities: empty(), [TOWNS.source]: empty() };
}

/** Borders of states and names of places, more of them the closer one comes. */
export function nameLayers(scheme: Scheme): LayerSpecification[] {
  const { coast, land, text } = chartColours[scheme];
  const name = (size: number) => ({
    layout: {
      // No file of glyphs: the browser's own font is drawn.
      'text-font': ['sans-serif'],
      'text-field': ['get', 'name'] satisfies ['get', string],
      'text-size': size,
      'text-max-width': 8,
      // Where not all fit, the larger place is named.
      'symbol-sort-key': ['-', 0, ['get', 'people']] satisfies ['-', number, ['get', string]],
    },
    paint: { 'text-color': text, 'text-opacity': 0.85, 'text-halo-color': land, 'text-halo-width': 1.2 },
  });
  return [
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      paint: { 'line-color': coast, 'line-width': 0.8, 'line-opacity': 0.7, 'line-dasharray': [4, 2] },
    },
    {
      id: 'towns',
      type: 'symbol',
      source: TOWNS.source,
      minzoom: TOWN_ZOOM,
      filter: ['>=', ['get', 'people'], ['step', ['zoom'], 50_000, 8, 20_000, 9, 10_000, 10, 0]],
      ...name(11),
    },
    {
      id: 'cities',
      type: 'symbol',
      source: 'cities',
      filter: ['>=', ['get', 'people'], ['step', ['zoom'], 5e6, 3, 2e6, 4, 1e6, 5, 4e5, 6, 2e5, 7, 0]],
      ...name(12),
    },
  ];
}

export function paintNames(map: MapLibreMap, scheme: Scheme): void {
  const { coast, land, text } = chartColours[scheme];
  map.setPaintProperty('borders', 'line-color', coast);
  for (const layer of ['towns', 'cities']) {
    map.setPaintProperty(layer, 'text-color', text);
    map.setPaintProperty(layer, 'text-halo-color', land);
  }
}

/** Towns wait until somebody comes close enough to see one. Answers how to stop waiting. */
export function loadNames(map: MapLibreMap): () => void {
  const load = (source: string, file: string) =>
    map.getSource<GeoJSONSource>(source)?.setData(new URL(file, window.location.href).href);
  for (const [source, file] of Object.entries(FILES)) load(source, file);
  return onceZoomed(map, TOWN_ZOOM, () => load(TOWNS.source, TOWNS.file));
}
