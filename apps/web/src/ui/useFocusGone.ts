import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that returns whether the element focused last was removed from the page, so that the focus was
 * lost.
 */
export function useFocusGone(): () => boolean {
  const last = useRef<EventTarget | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return useCallback(
    () => document.activeElement === document.body && last.current instanceof Node && !last.current.isConnected,
    [],
  );
}
