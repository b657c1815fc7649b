import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

export type Movable = {
  element: HTMLElement;
  /** Number of places that show it now. */
  places: number;
  arrive: () => void;
  leave: () => void;
};

/** A part of the page that can move to another place without being created again. */
export function useMovable(): Movable {
  const [element] = useState(() => {
    const made = document.createElement('div');
    made.style.height = '100%';
    made.style.minHeight = '0';
    return made;
  });
  const [places, setPlaces] = useState(0);
  const [actions] = useState(() => ({
    arrive: () => setPlaces((count) => count + 1),
    leave: () => setPlaces((count) => count - 1),
  }));
  return { element, places, ...actions };
}

/** Draws the content once; it shows where a `MovablePlace` is. */
export function MovableContent({ movable, children }: { movable: Movable; children: ReactNode }) {
  return createPortal(children, movable.element);
}

const scrolled = new WeakMap<Element, number>();

/** Moving an element through the document sets its scroll positions to zero: they are kept and given back. */
function remember({ target }: Event) {
  if (target instanceof Element && target.isConnected) scrolled.set(target, target.scrollTop);
}

function restore(root: HTMLElement) {
  for (const element of root.querySelectorAll('[data-part="table"]')) {
    const top = scrolled.get(element);
    if (top !== undefined) element.scrollTop = top;
  }
}

const focused = new WeakMap<HTMLElement, HTMLElement>();

/**
 * Remembers the focused element inside `root`, because moving `root` in the document takes the focus away. It gets the
 * focus back unless another element was focused meanwhile.
 */
function keepFocus(root: HTMLElement) {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && root.contains(activeElement)) focused.set(root, activeElement);
}

function giveFocusBack(root: HTMLElement) {
  const held = focused.get(root);
  focused.delete(root);
  if (held && root.contains(held) && document.activeElement === document.body) held.focus({ preventScroll: true });
}

type PlaceProps = {
  movable: Movable;
  /** Shown only while no other place has the part: it does not count as one. */
  fallback?: boolean;
};

/** One place for the movable part. */
export function MovablePlace({ movable, fallback = false }: PlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const { element, arrive, leave } = movable;
  // Before this place is taken from the document, and the focus with it.
  useLayoutEffect(() => () => keepFocus(element), [element]);
  useEffect(() => {
    // Another place came at the same time: here the part would be removed with this place.
    if (fallback && element.isConnected) return;
    keepFocus(element);
    place.current?.append(element);
    restore(element);
    giveFocusBack(element);
    element.addEventListener('scroll', remember, { capture: true, passive: true });
    if (!fallback) arrive();
    return () => {
      if (!fallback) leave();
      element.removeEventListener('scroll', remember, { capture: true });
    };
  }, [element, arrive, leave, fallback]);
  return <div ref={place} style={{ height: '100%', minHeight: 0 }} />;
}
