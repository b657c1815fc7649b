import type { LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { chartColours, type Scheme } from '../base/colours.ts';
import { addFineLand, askFineBase, FINE_LAYERS, type FineBase, paintFineLand, removeFineLand } from './fine-base.ts';
import { nameLayers, paintNames } from './overlays/name-layers.ts';

/** Address of the vector tiles created by the build (`tools/base-map`). Tiles that contain only sea are empty. */
const TILES = '/base-map/{z}/{x}/{y}.pbf';
const FINEST_TILE = 5;

const BASE_SOURCE = 'base-map';

const LAND_LAYERS = ['halo', 'land', 'coast'] as const;

/** Returns the style before any land is loaded: only the sea, so that the first paint requires no file. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'sea', type: 'background', paint: { 'background-color': chartColours[scheme].sea } }],
  };
}

/** Adds land, borders and names to a map that has loaded. */
export function addBase(map: MapLibreMap, scheme: Scheme): void {
  const source = baseSourceOf(map);
  for (const layer of [...landLayers(scheme, source), ...nameLayers(scheme, source)]) map.addLayer(layer);
}

/**
 * Current colour scheme of the land on each map, since the finer coast is added later and must use the scheme of that
 * time.
 */
const schemes = new WeakMap<MapLibreMap, Scheme>();

/** Adds the server's finer coast to a map, if the server has one and the map still has land. */
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

/** Returns the id of the source of land, borders and names. The source is added to the map if it is missing. */
export function baseSourceOf(map: MapLibreMap): string {
  // The address must be absolute, since tiles are requested by a worker, for which relative addresses have no base.
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
      // The coast has only the detail of 1:10 million, so it is drawn thinner at zooms where this is visible.
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
