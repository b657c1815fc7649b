import type { Map as MapLibreMap } from 'maplibre-gl';

/** Side of the world at zoom 0, px. */
const WORLD_PX = 512;
/** The least that the library takes. */
const ZOOM_MIN = -2;

/** A wide map would show a place twice: it is not drawn smaller than the world is wide. */
export function showOneWorld(map: Pick<MapLibreMap, 'getContainer' | 'setMinZoom' | 'on'>): void {
  const limit = () => {
    const { clientWidth } = map.getContainer();
    if (clientWidth > 0) map.setMinZoom(Math.max(ZOOM_MIN, Math.log2(clientWidth / WORLD_PX)));
  };
  limit();
  map.on('resize', limit);
}
