import { type FocusEvent, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Delay in milliseconds after which the toolbar closes when the pointer has left (specification 2, section 4). */
export const CLOSE_AFTER_MS = 1000;

type Holder = 'pointer' | 'focus' | 'tap';
const NOBODY: Record<Holder, boolean> = { pointer: false, focus: false, tap: false };

/**
 * Opens tools on hover, tap or focus. Closes them a second after both pointer and focus have left, or immediately on a
 * tap elsewhere, since a finger cannot hover. `element`: root element of the tools.
 */
export function useHoverOpen<Element extends HTMLElement = HTMLDivElement>() {
  const [open, setOpen] = useState(false);
  const element = useRef<Element>(null);
  const held = useRef({ ...NOBODY });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const touchedInside = useRef(false);

  const actions = useMemo(() => {
    const stop = () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    };
    const hold = (by: Holder) => {
      held.current[by] = true;
      stop();
      setOpen(true);
    };
    const leave = (by: Holder) => {
      held.current[by] = false;
      stop();
      if (Object.values(held.current).some((holds) => holds)) return;
      timer.current = setTimeout(() => setOpen(false), CLOSE_AFTER_MS);
    };
    const close = () => {
      held.current = { ...NOBODY };
      stop();
      setOpen(false);
    };
    // Touch causes enter and leave events with every tap, so they are ignored.
    const handlers = {
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && hold('pointer'),
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && leave('pointer'),
      onPointerDown: () => {
        touchedInside.current = true;
      },
      onClick: () => hold('tap'),
      onFocus: () => hold('focus'),
      onBlur: (event: FocusEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget)) leave('focus');
      },
    };
    return { stop, close, handlers };
  }, []);

  useEffect(() => actions.stop, [actions]);

  // The button that opened the tools disappears when they open, so the focus moves to the first tool.
  useLayoutEffect(() => {
    if (!open || !held.current.focus || element.current?.contains(document.activeElement)) return;
    element.current?.querySelector('button')?.focus();
  }, [open]);

  useEffect(() => {
    if (!open) return;
    // Menus of the tools are elsewhere in the DOM, but React passes their events to the tools first.
    const onPointerDown = () => {
      if (!touchedInside.current) actions.close();
      touchedInside.current = false;
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open, actions]);

  return { open, element, handlers: actions.handlers };
}
