import type { LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { chartColours, type Scheme } from '../base/colours.ts';
import type { LayerChoice } from './map-storage.ts';
import { NAME_LAYERS, nameLayers, paintNames } from './overlays/name-layers.ts';

/** Vector tiles of the build (`tools/base-map`); where there is only sea, they are empty. */
const TILES = '/base-map/{z}/{x}/{y}.pbf';
const FINEST_TILE = 5;

const BASE_SOURCE = 'base-map';

/** Layers of the base map, switched together. */
const BASE_LAYERS = ['halo', 'land', 'coast'] as const;

/** The style before any land is there: only the sea, so that the first paint needs no file. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'sea', type: 'background', paint: { 'background-color': chartColours[scheme].sea } }],
  };
}

/** Land, borders and names on a map that has loaded. */
export function addBase(map: MapLibreMap, scheme: Scheme): void {
  // A worker asks for tiles, and knows no page that an address could be relative to.
  const tiles = [`${window.location.origin}${TILES}`];
  map.addSource(BASE_SOURCE, { type: 'vector', tiles, maxzoom: FINEST_TILE });
  for (const layer of [...landLayers(scheme), ...nameLayers(scheme, BASE_SOURCE)]) map.addLayer(layer);
}

function landLayers(scheme: Scheme): LayerSpecification[] {
  const colours = chartColours[scheme];
  const of = { source: BASE_SOURCE, 'source-layer': 'land' };
  return [
    {
      id: 'halo',
      type: 'line',
      ...of,
      paint: {
        'line-color': colours.halo,
        'line-width': ['interpolate', ['linear'], ['zoom'], 2, 2, 8, 14],
        'line-blur': ['interpolate', ['linear'], ['zoom'], 2, 2, 8, 12],
      },
    },
    { id: 'land', type: 'fill', ...of, paint: { 'fill-color': colours.land } },
    {
      id: 'coast',
      type: 'line',
      ...of,
      // Land detail ends at 1:10 million: the coast is drawn thinner where that shows.
      paint: {
        'line-color': colours.coast,
        'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.8, 9, 1.2, 13, 0.4],
      },
    },
  ];
}

export function paintBase(map: MapLibreMap, scheme: Scheme): void {
  const colours = chartColours[scheme];
  map.setPaintProperty('sea', 'background-color', colours.sea);
  map.setPaintProperty('halo', 'line-color', colours.halo);
  map.setPaintProperty('land', 'fill-color', colours.land);
  map.setPaintProperty('coast', 'line-color', colours.coast);
  paintNames(map, scheme);
}

export function showBase(map: MapLibreMap, { base, names }: Pick<LayerChoice, 'base' | 'names'>): void {
  const show = (layer: string, shown: boolean) =>
    map.setLayoutProperty(layer, 'visibility', shown ? 'visible' : 'none');
  for (const layer of BASE_LAYERS) show(layer, base);
  for (const layer of NAME_LAYERS) show(layer, names);
}
