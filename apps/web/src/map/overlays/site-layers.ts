import type { MapLayer } from '@osprey/contract';
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';

/** Site layers lie below everything that is drawn of a mission: its first layer is this one. */
const LOWEST_OF_MISSION = 'heatmap';

export type SiteLayers = { set: (layers: readonly MapLayer[]) => void; paint: (scheme: Scheme) => void };

/** Tile sets of this site on a map that has loaded, in the order in which they are given. */
export function createSiteLayers(map: MapLibreMap, first: Scheme): SiteLayers {
  let shown: readonly MapLayer[] = [];
  let scheme = first;

  function clear() {
    for (const layer of shown) {
      for (const { id } of layersOf(layer, scheme)) map.removeLayer(id);
      map.removeSource(sourceOf(layer));
    }
    shown = [];
  }

  function set(layers: readonly MapLayer[]) {
    clear();
    for (const layer of layers) {
      const { kind: type, minZoom: minzoom, maxZoom: maxzoom, bounds } = layer;
      // A worker asks for tiles, and knows no page that an address could be relative to.
      const tiles = [`${window.location.origin}${layer.tileLayer}`];
      const common = { tiles, minzoom, maxzoom, ...(bounds && { bounds }) };
      map.addSource(sourceOf(layer), type === 'raster' ? { type, tileSize: 256, ...common } : { type, ...common });
      for (const one of layersOf(layer, scheme)) map.addLayer(one, LOWEST_OF_MISSION);
    }
    shown = layers;
  }

  return {
    set,
    paint(next) {
      const before = shown;
      if (next === scheme) return;
      clear();
      scheme = next;
      set(before);
    },
  };
}

const sourceOf = ({ _id }: MapLayer): string => `site-${_id}`;

/** Pictures as they are; vector tiles plainly, in the colours of the chart: they come without a style of their own. */
export function layersOf(layer: MapLayer, scheme: Scheme): LayerSpecification[] {
  const source = sourceOf(layer);
  if (layer.kind === 'raster') return [{ id: source, type: 'raster', source, paint: { 'raster-fade-duration': 0 } }];
  const { coast } = chartColours[scheme];
  return layer.vectorLayers.flatMap((name): LayerSpecification[] => {
    const common = { source, 'source-layer': name };
    return [
      {
        id: `${source}-${name}-fill`,
        type: 'fill',
        ...common,
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': coast, 'fill-opacity': 0.12 },
      },
      { id: `${source}-${name}-line`, type: 'line', ...common, paint: { 'line-color': coast, 'line-width': 0.8 } },
      {
        id: `${source}-${name}-point`,
        type: 'circle',
        ...common,
        filter: ['==', ['geometry-type'], 'Point'],
        paint: { 'circle-color': coast, 'circle-radius': 2 },
      },
    ];
  });
}
