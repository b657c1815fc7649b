import { type PointerEvent, useRef } from 'react';

type Drag<Grabbed> = {
  /** Called when the pointer is pressed; the result is passed to `drag`. */
  press: (event: PointerEvent<HTMLElement>) => Grabbed;
  drag: (event: PointerEvent<HTMLElement>, grabbed: Grabbed) => void;
};

/**
 * Implements dragging by the main button or a finger. It also ends if the browser takes the pointer away without a
 * release.
 */
export function useDrag<Grabbed>({ press, drag }: Drag<Grabbed>) {
  const grabbed = useRef<{ by: number; what: Grabbed } | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || grabbed.current) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      grabbed.current = { by: event.pointerId, what: press(event) };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (grabbed.current?.by === event.pointerId) drag(event, grabbed.current.what);
    },
    // Browsers send this after each release and each cancelled drag.
    onLostPointerCapture(event: PointerEvent<HTMLElement>) {
      if (grabbed.current?.by === event.pointerId) grabbed.current = null;
    },
  };
}
