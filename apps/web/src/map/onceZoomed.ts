import type { Map as MapLibreMap } from 'maplibre-gl';

/** Calls back as soon as the map is as close as `zoom`, at once where it is. Answers how to stop waiting. */
export function onceZoomed(map: MapLibreMap, zoom: number, act: () => void): () => void {
  const look = () => {
    if (map.getZoom() < zoom) return;
    map.off('zoomend', look);
    act();
  };
  map.on('zoomend', look);
  look();
  return () => map.off('zoomend', look);
}
