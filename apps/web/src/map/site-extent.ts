import type { Extent } from '@osprey/geo';
import type { Map as MapLibreMap } from 'maplibre-gl';

type Load = () => Promise<Extent | null>;

let load: Load | null = null;
let loaded: Promise<Extent | null> | null = null;

/** Says how the extent of what the account may see is read; it is read when a map first needs it. Returns how to end that. */
export function provideSiteExtent(next: Load): () => void {
  [load, loaded] = [next, null];
  return () => {
    if (load === next) [load, loaded] = [null, null];
  };
}

const SITE_ZOOM_MAX = 12;

/** Takes a map to the extent of what the account may see, unless it has been moved by the time that is known. */
export function openOnSite(map: Pick<MapLibreMap, 'fitBounds' | 'once'>, maxZoom = SITE_ZOOM_MAX): void {
  if (load === null) return;
  loaded ??= load().catch(() => null);
  let isFree = true;
  const leave = () => {
    isFree = false;
  };
  map.once('movestart', leave);
  map.once('remove', leave);
  void loaded.then((extent) => {
    if (isFree && extent !== null) map.fitBounds(extent, { padding: 40, maxZoom, animate: false });
  });
}
