import { type RefCallback, useCallback, useRef } from 'react';

/** For what is drawn because somebody pressed something: `ask` before it is drawn, and it has the focus once it stands there. */
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
