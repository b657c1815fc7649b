import type { FeatureCollection, GeoJSON } from 'geojson';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { DATA_LAYERS, type DataLayer } from './data-layer-names.ts';

const EMPTY: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Layers of what the server worked out for the whole recording: empty until they are asked for. */
export function addDataLayers(map: MapLibreMap, ink: string): void {
  for (const layer of DATA_LAYERS) map.addSource(layer, { type: 'geojson', data: EMPTY });
  for (const layer of layersOf(ink)) map.addLayer(layer);
}

export function setData(map: MapLibreMap, layer: DataLayer, data: GeoJSON | null): void {
  map.getSource<GeoJSONSource>(layer)?.setData(data ?? EMPTY);
}

export function paintData(map: MapLibreMap, ink: string): void {
  map.setPaintProperty('area', 'fill-color', ink);
  map.setPaintProperty('area-edge', 'line-color', ink);
  map.setPaintProperty('path', 'line-color', ink);
}

const layersOf = (ink: string): LayerSpecification[] => [
  {
    id: 'heatmap',
    type: 'heatmap',
    source: 'heatmap',
    paint: {
      'heatmap-weight': ['get', 'weight'],
      'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 8, 8, 16, 28],
      'heatmap-opacity': 0.7,
    },
  },
  { id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': ink, 'fill-opacity': 0.15 } },
  { id: 'area-edge', type: 'line', source: 'area', paint: { 'line-color': ink, 'line-width': 1, 'line-opacity': 0.7 } },
  { id: 'path', type: 'line', source: 'path', paint: { 'line-color': ink, 'line-width': 1.5, 'line-opacity': 0.8 } },
];
