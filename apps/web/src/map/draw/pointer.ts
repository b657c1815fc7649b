import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Editor } from './editor.ts';
import type { Place } from './figures.ts';
import type { Pixel, ToPixel } from './hit.ts';

type Options = {
  map: MapLibreMap;
  editor: Editor;
  /** Called with the position under the pointer in degrees; null if there is none. */
  onPointer?: (place: Place | null) => void;
};

export const pixelsOf =
  (map: MapLibreMap): ToPixel =>
  (place) =>
    map.project([place[0]!, place[1]!]);

/** Passes the pointer events of a map to an editor. @returns a function that stops this */
export function passPointer({ map, editor, onPointer = () => undefined }: Options): () => void {
  const canvas = map.getCanvas();
  const toPixel = pixelsOf(map);
  /** True while the pointer drags a shape; the map does not move then. */
  let holds = false;
  let pressedId: number | null = null;

  function placeOf(event: PointerEvent): { pixel: Pixel; place: Place } {
    const { left, top } = canvas.getBoundingClientRect();
    const pixel = { x: event.clientX - left, y: event.clientY - top };
    const { lng, lat } = map.unproject([pixel.x, pixel.y]);
    return { pixel, place: [lng, lat] };
  }

  function onDown(event: PointerEvent) {
    if (!event.isPrimary || event.button !== 0) return;
    const { pixel, place } = placeOf(event);
    pressedId = event.pointerId;
    holds = editor.down(pixel, place, toPixel);
    if (!holds) return;
    map.dragPan.disable();
    // Captures the pointer: if it were released outside the map, the shape would continue to follow it.
    canvas.setPointerCapture(event.pointerId);
  }

  function onMove(event: PointerEvent) {
    if (!event.isPrimary) return;
    const { pixel, place } = placeOf(event);
    editor.move(pixel, place);
    onPointer(place);
  }

  function onUp(event: PointerEvent) {
    if (event.pointerId !== pressedId) return;
    pressedId = null;
    const { pixel, place } = placeOf(event);
    editor.up(pixel, place, toPixel);
    letGo();
  }

  function onLeave() {
    editor.leave();
    onPointer(null);
  }

  function letGo() {
    if (holds) map.dragPan.enable();
    holds = false;
  }

  const listeners = [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onUp],
    ['pointerleave', onLeave],
  ] as const;
  for (const [name, listener] of listeners) canvas.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of listeners) canvas.removeEventListener(name, listener as EventListener);
    letGo();
  };
}
