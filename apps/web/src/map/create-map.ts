import { AttributionControl, Map as MapLibreMap, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Scheme } from '../base/colours.ts';
import { offerPlace } from './ask-place.ts';
import { addBase, baseStyle, refineLand } from './base-map.ts';
import { markTarget } from './mark-target.ts';
import { showOneWorld } from './one-world.ts';
import { offerPrint } from './print-map.ts';
import { texts } from './texts.ts';
import type { MapView } from './view.ts';

type Options = { container: HTMLElement; scheme: Scheme; view: MapView };

/** Creates a map with the base map of this installation; no access to the internet is needed. */
export function createBaseMap(options: Options): MapLibreMap {
  const map = createMap(options);
  map.once('load', () => {
    addBase(map, options.scheme);
    refineLand(map, options.scheme)
      // The licence of the data requires this attribution.
      .then((base) => base && map.addControl(new AttributionControl({ compact: false }), 'bottom-right'))
      .catch(() => null);
  });
  return map;
}

/** Creates a map that shows only the sea. */
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
    // No fading: it would require many additional frames, without any benefit here.
    fadeDuration: 0,
    rollEnabled: false,
    touchPitch: false,
  });
  offerPlace(map);
  markTarget(map);
  offerPrint(map);
  // Its bracket has room for the longest text, "1000 nm".
  map.addControl(new ScaleControl({ unit: 'nautical', maxWidth: 160 }), 'bottom-right');
  showOneWorld(map);
  return map;
}
