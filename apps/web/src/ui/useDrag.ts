import { type PointerEvent, useRef } from 'react';

type Drag<Held> = {
  /** The object that the pointer holds from the press on. */
  press: (event: PointerEvent<HTMLElement>) => Held;
  drag: (event: PointerEvent<HTMLElement>, held: Held) => void;
};

/** Drags with the main button, or a finger. It ends also when the browser takes the pointer away, without a release. */
export function useDrag<Held>({ press, drag }: Drag<Held>) {
  const held = useRef<{ by: number; what: Held } | null>(null);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || held.current) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { by: event.pointerId, what: press(event) };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (held.current?.by === event.pointerId) drag(event, held.current.what);
    },
    // Browsers send this after each release and each cancelled drag.
    onLostPointerCapture(event: PointerEvent<HTMLElement>) {
      if (held.current?.by === event.pointerId) held.current = null;
    },
  };
}
