import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Returns properties for a dialog that restore the focus to the previous element when the dialog closes. Unlike the
 * library's own mechanism, it does not scroll, since focusing a row below a picture would scroll the picture out of
 * view.
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
