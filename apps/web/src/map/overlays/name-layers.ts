import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';
import { haloOf, MAP_FONT } from '../lettering.ts';

export const NAME_LAYERS = ['borders', 'names'] as const;

/** Returns the layers with the borders of states and the names of places; more places are named at higher zooms. */
export function nameLayers(scheme: Scheme, source: string): LayerSpecification[] {
  const { coast, text } = chartColours[scheme];
  return [
    {
      id: 'borders',
      type: 'line',
      source,
      'source-layer': 'borders',
      paint: { 'line-color': coast, 'line-width': 0.8, 'line-opacity': 0.7, 'line-dasharray': [4, 2] },
    },
    {
      id: 'names',
      type: 'symbol',
      source,
      'source-layer': 'names',
      // Minimum population of a place at a zoom.
      filter: [
        '>=',
        ['get', 'people'],
        ['step', ['zoom'], 5e6, 3, 2e6, 4, 1e6, 5, 4e5, 6, 2e5, 7, 50_000, 8, 20_000, 9, 10_000, 10, 0],
      ],
      layout: {
        ...MAP_FONT,
        'text-field': ['get', 'name'],
        'text-size': ['case', ['>=', ['get', 'people'], 100_000], 12, 11],
        'text-max-width': 8,
        // If not all names fit, larger places have priority.
        'symbol-sort-key': ['-', 0, ['get', 'people']],
      },
      paint: { 'text-color': text, 'text-opacity': 0.85, ...haloOf(scheme) },
    },
  ];
}

export function paintNames(map: MapLibreMap, scheme: Scheme): void {
  const { coast, text } = chartColours[scheme];
  map.setPaintProperty('borders', 'line-color', coast);
  map.setPaintProperty('names', 'text-color', text);
  map.setPaintProperty('names', 'text-halo-color', haloOf(scheme)['text-halo-color']);
}
