import { AttributionControl, Map as MapLibreMap, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Scheme } from '../base/colours.ts';
import { offerPlace } from './ask-place.ts';
import { addBase, baseStyle, refineLand } from './base-map.ts';
import { markTarget } from './mark-target.ts';
import { offerPrint } from './print-map.ts';
import { texts } from './texts.ts';
import type { MapView } from './view.ts';

type Options = { container: HTMLElement; scheme: Scheme; view: MapView };

/** A map with the base map of this installation; needs no network. */
export function createBaseMap(options: Options): MapLibreMap {
  const map = createMap(options);
  map.once('load', () => {
    addBase(map, options.scheme);
    refineLand(map, options.scheme)
      // The licence of the data demands the line.
      .then((base) => base && map.addControl(new AttributionControl({ compact: false }), 'bottom-right'))
      .catch(() => null);
  });
  return map;
}

/** A map of the sea alone. */
export function createMap({ container, scheme, view }: Options): MapLibreMap {
  setWorkerUrl(workerUrl);
  const map = new MapLibreMap({
    container,
    style: baseStyle(scheme),
    center: view.center,
    zoom: view.zoom,
    maxZoom: 20,
    maxPitch: 0,
    attributionControl: false,
    locale: { 'Map.Title': texts.chart },
    // Tiles that fade in ask for many more frames; nothing here gains by it.
    fadeDuration: 0,
    rollEnabled: false,
    touchPitch: false,
  });
  offerPlace(map);
  markTarget(map);
  offerPrint(map);
  map.addControl(new ScaleControl({ unit: 'nautical', maxWidth: 100 }), 'bottom-right');
  return map;
}
