import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import { askedPlace } from '../onscreen/sought-place.ts';

const LONG_PRESS_MS = 500;
/** A finger that moves this far drags the map, px. */
const MOVED_PX = 10;

/** A right click or a long press on a map asks about the place below it. */
export function offerPlace(map: MapLibreMap): void {
  const canvas = map.getCanvasContainer();
  const ask = ({ lngLat, point }: Pick<MapMouseEvent, 'lngLat' | 'point'>) => {
    const { left, top } = canvas.getBoundingClientRect();
    const { lng, lat } = lngLat.wrap();
    askedPlace.set({ place: { lon: lng, lat }, x: left + point.x, y: top + point.y });
  };
  map.on('contextmenu', (event) => {
    event.preventDefault();
    event.originalEvent.preventDefault();
    ask(event);
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  let pressed: MapTouchEvent['point'] | null = null;
  const release = () => clearTimeout(timer);
  map.on('touchstart', (event) => {
    release();
    if (event.points.length !== 1) return;
    pressed = event.point;
    timer = setTimeout(() => ask(event), LONG_PRESS_MS);
  });
  map.on('touchmove', ({ point }) => {
    if (pressed && point.dist(pressed) > MOVED_PX) release();
  });
  map.on('touchend', release);
  map.on('touchcancel', release);
  map.on('remove', release);
}
