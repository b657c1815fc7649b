import type { MapLayer } from '@osprey/contract';
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme } from '../../base/colours.ts';
import type { ChoiceStore, Overlay, OverlayDeps, RunningOverlay } from '../overlay.ts';
import { texts } from '../texts.ts';

/** Returns the overlay of a tile set of this site. The user's choice is stored under the id of the tile set. */
export function siteOverlay(layer: MapLayer, choices: ChoiceStore): Overlay {
  const { _id, title, attribution: credit } = layer;
  return {
    id: sourceOf(layer),
    switches: [{ id: _id, title, group: texts.siteLayers, credit, choices }],
    start: (deps) => startSite(deps, layer),
  };
}

/** Starts the overlay of a site's tile set, whose tiles are requested only while it is shown. */
function startSite({ map, below }: Pick<OverlayDeps, 'map' | 'below'>, layer: MapLayer): RunningOverlay {
  let isShown = false;
  let scheme: Scheme = 'dark';

  function clear() {
    if (!map.getSource(sourceOf(layer))) return;
    for (const { id } of layersOf(layer, scheme)) map.removeLayer(id);
    map.removeSource(sourceOf(layer));
  }

  function draw() {
    clear();
    if (!isShown) return;
    addSource(map, layer);
    for (const one of layersOf(layer, scheme)) map.addLayer(one, below);
  }

  return {
    show(shown) {
      isShown = shown;
      draw();
    },
    paint(next) {
      if (next.scheme === scheme) return;
      scheme = next.scheme;
      draw();
    },
    stop: clear,
  };
}

function addSource(map: MapLibreMap, layer: MapLayer) {
  const { kind: type, minZoom: minzoom, maxZoom: maxzoom, bounds } = layer;
  // The address must be absolute, since tiles are requested by a worker, for which relative addresses have no base.
  const tiles = [`${window.location.origin}${layer.tileLayer}`];
  const common = { tiles, minzoom, maxzoom, ...(bounds && { bounds }) };
  map.addSource(sourceOf(layer), type === 'raster' ? { type, tileSize: 256, ...common } : { type, ...common });
}

const sourceOf = ({ _id }: MapLayer): string => `site-${_id}`;

/**
 * Returns the layers of a tile set. Raster tiles are shown unchanged; vector tiles are drawn in the colours of the
 * chart, since they have no style of their own.
 */
function layersOf(layer: MapLayer, scheme: Scheme): LayerSpecification[] {
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
