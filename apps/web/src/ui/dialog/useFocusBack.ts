import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Props of a dialog: when it closes, the focus goes back to the element that had it. Unlike the library's own way the page
 * keeps its scroll position, because a focused row below a picture would scroll the picture out of view.
 */
export function useFocusBack() {
  const before = useRef<EventTarget | null>(null);
  useEffect(
    () => () => {
      const { current } = before;
      if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true });
    },
    [],
  );
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    before.current ??= relatedTarget;
  };
  return { disableRestoreFocus: true, onFocus };
}
