import { useCallback, useEffect, useRef } from 'react';

/**
 * Moves the keyboard focus with the mission: opening a row by keyboard moves the focus to the view, whose keys then
 * work, and closing the view returns it to the row. The page keeps its scroll position. Nothing is moved after a mouse
 * click, which leaves no focus.
 */
export function useMissionFocus(openId: string | null, table: HTMLElement) {
  const view = useRef<HTMLElement | null>(null);
  const isAsked = useRef(false);
  const before = useRef(openId);

  const ref = useCallback((drawn: HTMLElement | null) => {
    view.current = drawn;
    if (drawn === null || !isAsked.current) return;
    isAsked.current = false;
    drawn.focus({ preventScroll: true });
  }, []);

  const onOpen = useCallback(
    (missionId: string) => {
      if (document.activeElement === document.body) return;
      if (missionId === openId) view.current?.focus({ preventScroll: true });
      // The heading gets the focus once the mission was read.
      else isAsked.current = true;
    },
    [openId],
  );

  // The button that closed the view is gone, which would leave the focus at the top of the page.
  useEffect(() => {
    const isClosed = before.current !== null && openId === null;
    before.current = openId;
    if (isClosed && document.activeElement === document.body) {
      table.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
    }
  }, [openId, table]);

  return { ref, onOpen };
}
