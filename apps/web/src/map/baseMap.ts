import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import fineUrl from 'world-atlas/land-10m.json?url';
import middleUrl from 'world-atlas/land-50m.json?url';
import coarseUrl from 'world-atlas/land-110m.json?url';
import { chartColours, type Scheme } from '../app/colours.ts';
import type { Land } from './land.ts';
import type { LayerChoice } from './mapStorage.ts';
import { loadNames, NAME_LAYERS, nameLayers, nameSources, paintNames } from './nameLayers.ts';
import { onceZoomed } from './onceZoomed.ts';

/** Layers of the base map, switched together. */
const BASE_LAYERS = ['halo', 'land', 'coast'] as const;

const LAND = 'land';

/** The style before any land is there: only the sea, so that the first paint needs no file. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  const colours = chartColours[scheme];
  return {
    version: 8,
    sources: {
      [LAND]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.3 },
      ...nameSources(),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colours.sea } },
      {
        id: 'halo',
        type: 'line',
        source: LAND,
        paint: {
          'line-color': colours.halo,
          'line-width': ['interpolate', ['linear'], ['zoom'], 2, 2, 8, 14],
          'line-blur': ['interpolate', ['linear'], ['zoom'], 2, 2, 8, 12],
        },
      },
      { id: 'land', type: 'fill', source: LAND, paint: { 'fill-color': colours.land } },
      {
        id: 'coast',
        type: 'line',
        source: LAND,
        // Land detail ends at 1:10 million: the coast is drawn thinner where that shows.
        paint: {
          'line-color': colours.coast,
          'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.8, 9, 1.2, 13, 0.4],
        },
      },
      ...nameLayers(scheme),
    ],
  };
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

/** From here on the eye tells 1:10 million from 1:50 million. */
const FINE_ZOOM = 5;

/**
 * Puts the coarse land on the map, then a finer one, borders and names, and the finest land once the map is close
 * enough to show it. Answers how to stop.
 */
export function loadLand(map: MapLibreMap): () => void {
  const worker = new Worker(new URL('./landWorker.ts', import.meta.url), { type: 'module' });
  const ask = (url: string) => worker.postMessage(new URL(url, window.location.href).href);
  const stops: (() => void)[] = [() => worker.terminate()];
  const afterwards = [
    () => ask(middleUrl),
    () =>
      stops.push(
        loadNames(map),
        onceZoomed(map, FINE_ZOOM, () => ask(fineUrl)),
      ),
    () => worker.terminate(),
  ];
  worker.addEventListener('message', ({ data }: MessageEvent<Land | null>) => {
    // Without the file the sea stays empty: everything else on the map still works.
    if (data) map.getSource<GeoJSONSource>(LAND)?.setData(data);
    afterwards.shift()?.();
  });
  ask(coarseUrl);
  return () => {
    for (const stop of stops) stop();
  };
}
