import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import { askedPlace } from '../onscreen/target-place.ts';

const LONG_PRESS_MS = 500;
/** Movement in pixels from which a touch counts as dragging the map. */
const MOVED_PX = 10;

/**
 * Opens the menu about a place on a map: for the place under a right click or a long press, or for the centre of the
 * map with the menu key or Shift+F10.
 */
export function offerPlace(map: Pick<MapLibreMap, 'on' | 'getCanvasContainer' | 'getCenter' | 'project'>): void {
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

  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
    // Browsers differ in whether and where these keys cause a contextmenu event, so it is prevented and handled here.
    event.preventDefault();
    const lngLat = map.getCenter();
    ask({ lngLat, point: map.project(lngLat) });
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  let pressed: MapTouchEvent['point'] | null = null;
  let isAsked = false;
  const release = () => clearTimeout(timer);
  map.on('touchstart', (event) => {
    release();
    if (event.points.length !== 1) return;
    pressed = event.point;
    isAsked = false;
    timer = setTimeout(() => {
      isAsked = true;
      ask(event);
    }, LONG_PRESS_MS);
  });
  map.on('touchmove', ({ point }) => {
    if (pressed && point.dist(pressed) > MOVED_PX) release();
  });
  map.on('touchend', ({ originalEvent }) => {
    release();
    // Prevents the click when the finger is lifted: it would hit the menu that has opened under it, and close it.
    if (isAsked && originalEvent.cancelable) originalEvent.preventDefault();
    isAsked = false;
  });
  map.on('touchcancel', release);
  map.on('remove', release);
}
