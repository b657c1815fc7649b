import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { z } from 'zod';
import { chartColours, type Scheme } from '../base/colours.ts';

const ADDRESS = '/base-map/fine.json';
const SOURCE = 'base-map-fine';

const fineBase = z.object({ tiles: z.string(), minZoom: z.int(), maxZoom: z.int(), attribution: z.string() });
export type FineBase = z.output<typeof fineBase>;

let known: Promise<FineBase | null> | null = null;

/**
 * Reads the description of the server's finer coast. Null if there is none; this is not cached, so each map asks again.
 */
export function askFineBase(): Promise<FineBase | null> {
  known ??= fetch(ADDRESS)
    .then(async (answer) => (answer.status === 200 ? fineBase.parse(await answer.json()) : null))
    .catch(() => null)
    .then((found) => {
      if (found === null) known = null;
      return found;
    });
  return known;
}

/** Ids of the layers of the finer land, lowest first; they are shown and hidden together with the coarse ones. */
export const FINE_LAYERS = ['halo-fine', 'land-fine', 'coast-fine', 'rivers-fine'] as const;

/**
 * Adds the finer coast. From its first zoom on, it replaces the layers `coarse`, which are listed from lowest to
 * highest.
 */
export function addFineLand(map: MapLibreMap, scheme: Scheme, base: FineBase, coarse: readonly string[]): void {
  const tiles = [`${window.location.origin}${base.tiles}`];
  const { minZoom: minzoom, maxZoom: maxzoom, attribution } = base;
  map.addSource(SOURCE, { type: 'vector', tiles, minzoom, maxzoom, attribution });
  const order = map.getLayersOrder();
  const above = order[order.indexOf(coarse.at(-1) ?? '') + 1];
  const visibility = map.getLayoutProperty('land', 'visibility') === 'none' ? 'none' : 'visible';
  for (const layer of layersOf(scheme))
    map.addLayer({ ...layer, minzoom, layout: { ...layer.layout, visibility } } as LayerSpecification, above);
  for (const id of coarse) map.setLayerZoomRange(id, 0, minzoom);
}

export function removeFineLand(map: MapLibreMap): void {
  if (!map.getSource(SOURCE)) return;
  for (const id of FINE_LAYERS) map.removeLayer(id);
  map.removeSource(SOURCE);
}

/**
 * Expression that is true for water. Levels of GSHHG: 1 land, 2 lakes, 3 islands in lakes, 4 ponds on those islands.
 */
const isWater = ['==', ['%', ['get', 'level'], 2], 0];

function layersOf(scheme: Scheme): LayerSpecification[] {
  const { halo, coast, land, sea } = chartColours[scheme];
  const of = { source: SOURCE, 'source-layer': 'land' };
  return [
    {
      id: 'halo-fine',
      type: 'line',
      ...of,
      filter: ['==', ['get', 'level'], 1],
      paint: { 'line-color': halo, 'line-width': 12, 'line-blur': 10 },
    },
    {
      id: 'land-fine',
      type: 'fill',
      ...of,
      layout: { 'fill-sort-key': ['get', 'level'] },
      paint: { 'fill-color': fillOf(land, sea) },
    },
    {
      id: 'coast-fine',
      type: 'line',
      ...of,
      paint: { 'line-color': coast, 'line-width': ['interpolate', ['linear'], ['zoom'], 6, 0.8, 12, 1.2, 16, 0.6] },
    },
    {
      id: 'rivers-fine',
      type: 'line',
      source: SOURCE,
      'source-layer': 'rivers',
      paint: {
        'line-color': coast,
        'line-opacity': 0.6,
        'line-width': ['interpolate', ['linear'], ['zoom'], 6, 0.5, 12, 1.4],
      },
    },
  ];
}

const fillOf = (land: string, sea: string) => ['case', isWater, sea, land] as never;

export function paintFineLand(map: MapLibreMap, scheme: Scheme): void {
  if (!map.getSource(SOURCE)) return;
  const { halo, coast, land, sea } = chartColours[scheme];
  map.setPaintProperty('halo-fine', 'line-color', halo);
  map.setPaintProperty('land-fine', 'fill-color', fillOf(land, sea));
  map.setPaintProperty('coast-fine', 'line-color', coast);
  map.setPaintProperty('rivers-fine', 'line-color', coast);
}
