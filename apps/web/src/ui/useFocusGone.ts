import { useCallback, useEffect, useRef } from 'react';

/** Returns how to ask whether what had the focus last was taken from the page, and the focus with it. */
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
