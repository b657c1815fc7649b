import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import fineUrl from 'world-atlas/land-10m.json?url';
import coarseUrl from 'world-atlas/land-110m.json?url';
import { chartColours, type Scheme } from '../app/colours.ts';
import type { Land } from './land.ts';

const LAND = 'land';

/** Layers of the base map, switched together. */
const BASE_LAYERS = ['halo', 'land', 'coast'] as const;

/** The style before any land is there: only the sea, so that the first paint needs no file. */
export function baseStyle(scheme: Scheme): StyleSpecification {
  const colours = chartColours[scheme];
  return {
    version: 8,
    sources: { [LAND]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.3 } },
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
    ],
  };
}

export function paintBase(map: MapLibreMap, scheme: Scheme): void {
  const colours = chartColours[scheme];
  map.setPaintProperty('sea', 'background-color', colours.sea);
  map.setPaintProperty('halo', 'line-color', colours.halo);
  map.setPaintProperty('land', 'fill-color', colours.land);
  map.setPaintProperty('coast', 'line-color', colours.coast);
}

export function showBase(map: MapLibreMap, shown: boolean): void {
  for (const layer of BASE_LAYERS) map.setLayoutProperty(layer, 'visibility', shown ? 'visible' : 'none');
}

/** Puts the coarse land on the map, then the fine one. Answers how to stop. */
export function loadLand(map: MapLibreMap): () => void {
  const worker = new Worker(new URL('./landWorker.ts', import.meta.url), { type: 'module' });
  const wanted = [coarseUrl, fineUrl];
  const next = () => {
    const url = wanted.shift();
    if (url === undefined) worker.terminate();
    else worker.postMessage(new URL(url, window.location.href).href);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Land | null>) => {
    // Without the file the sea stays empty: everything else on the map still works.
    if (data) map.getSource<GeoJSONSource>(LAND)?.setData(data);
    next();
  });
  next();
  return () => worker.terminate();
}
