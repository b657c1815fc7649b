import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';

export const NAME_LAYERS = ['borders', 'names'] as const;

/** Borders of states and names of places, more of them the closer one comes. */
export function nameLayers(scheme: Scheme, source: string): LayerSpecification[] {
  const { coast, land, text } = chartColours[scheme];
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
      // How many people a place must have at a zoom.
      filter: [
        '>=',
        ['get', 'people'],
        ['step', ['zoom'], 5e6, 3, 2e6, 4, 1e6, 5, 4e5, 6, 2e5, 7, 50_000, 8, 20_000, 9, 10_000, 10, 0],
      ],
      layout: {
        // Glyphs are drawn with the browser's own font, without a file.
        'text-font': ['sans-serif'],
        'text-field': ['get', 'name'],
        'text-size': ['case', ['>=', ['get', 'people'], 100_000], 12, 11],
        'text-max-width': 8,
        // Where not all fit, the larger place is named.
        'symbol-sort-key': ['-', 0, ['get', 'people']],
      },
      paint: { 'text-color': text, 'text-opacity': 0.85, 'text-halo-color': land, 'text-halo-width': 1.2 },
    },
  ];
}

export function paintNames(map: MapLibreMap, scheme: Scheme): void {
  const { coast, land, text } = chartColours[scheme];
  map.setPaintProperty('borders', 'line-color', coast);
  map.setPaintProperty('names', 'text-color', text);
  map.setPaintProperty('names', 'text-halo-color', land);
}
