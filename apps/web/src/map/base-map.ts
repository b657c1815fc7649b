import type { LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { chartColours, type Scheme } from '../base/colours.ts';
import { addFineLand, askFineBase, FINE_LAYERS, type FineBase, paintFineLand, removeFineLand } from './fine-base.ts';
import { nameLayers, paintNames } from './overlays/name-layers.ts';

/** Vector tiles of the build (`tools/base-map`); where there is only sea, they are empty. */
const TILES = '/base-map/{z}/{x}/{y}.pbf';
const FINEST_TILE = 5;

const BASE_SOURCE = 'base-map';

const LAND_LAYERS = ['halo', 'land', 'coast'] as const;

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
  const source = baseSourceOf(map);
  for (const layer of [...landLayers(scheme, source), ...nameLayers(scheme, source)]) map.addLayer(layer);
}

/** The theme of the land on each map: the finer coast comes later, in the colours of then. */
const schemes = new WeakMap<MapLibreMap, Scheme>();

/** Draws the finer coast of this server on a map with land, where it has one and the land is still there. */
export async function refineLand(map: MapLibreMap, scheme: Scheme): Promise<FineBase | null> {
  schemes.set(map, scheme);
  let isRemoved = false;
  map.once('remove', () => {
    isRemoved = true;
  });
  const base = await askFineBase();
  if (base === null || isRemoved || !map.getLayer('land') || map.getLayer('land-fine')) return base;
  addFineLand(map, schemes.get(map) ?? scheme, base, LAND_LAYERS);
  return base;
}

export function showLand(map: MapLibreMap, shown: boolean): void {
  const visibility = shown ? 'visible' : 'none';
  for (const id of [...LAND_LAYERS, ...FINE_LAYERS]) {
    if (map.getLayer(id)) map.setLayoutProperty(id, 'visibility', visibility);
  }
}

export function removeLand(map: MapLibreMap): void {
  removeFineLand(map);
  for (const id of LAND_LAYERS) map.removeLayer(id);
}

/** Id of the source of land, borders and names, which is added where the map has none yet. */
export function baseSourceOf(map: MapLibreMap): string {
  // A worker asks for tiles, and knows no page that an address could be relative to.
  const tiles = [`${window.location.origin}${TILES}`];
  if (!map.getSource(BASE_SOURCE)) map.addSource(BASE_SOURCE, { type: 'vector', tiles, maxzoom: FINEST_TILE });
  return BASE_SOURCE;
}

export function landLayers(scheme: Scheme, source: string): LayerSpecification[] {
  const colours = chartColours[scheme];
  const of = { source, 'source-layer': 'land' };
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
  paintSea(map, scheme);
  paintLand(map, scheme);
  paintNames(map, scheme);
}

export function paintSea(map: MapLibreMap, scheme: Scheme): void {
  map.setPaintProperty('sea', 'background-color', chartColours[scheme].sea);
}

export function paintLand(map: MapLibreMap, scheme: Scheme): void {
  const colours = chartColours[scheme];
  map.setPaintProperty('halo', 'line-color', colours.halo);
  map.setPaintProperty('land', 'fill-color', colours.land);
  map.setPaintProperty('coast', 'line-color', colours.coast);
  schemes.set(map, scheme);
  paintFineLand(map, scheme);
}
