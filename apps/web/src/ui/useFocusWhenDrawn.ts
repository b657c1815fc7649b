import { type RefCallback, useCallback, useRef } from 'react';

/** Focuses an element that appears after a click: call `ask` before it is rendered. */
export function useFocusWhenDrawn<Drawn extends HTMLElement>(): { ask: () => void; ref: RefCallback<Drawn> } {
  const asked = useRef(false);
  const ref = useCallback((drawn: Drawn | null) => {
    if (drawn === null || !asked.current) return;
    asked.current = false;
    drawn.focus();
  }, []);
  const ask = useCallback(() => {
    asked.current = true;
  }, []);
  return { ask, ref };
}
