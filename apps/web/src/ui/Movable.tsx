import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { LabelsHidden } from '../base/shown-labels.ts';

export type Movable = {
  element: HTMLElement;
  /** Number of places that currently show it. */
  places: number;
  /** Its place does not show it at the moment. */
  hidden: boolean;
  setHidden: (hidden: boolean) => void;
  arrive: () => void;
  leave: () => void;
};

/** Creates an element for a part of the page that can be moved without being mounted again. */
export function useMovable(): Movable {
  const [element] = useState(() => {
    const made = document.createElement('div');
    made.style.height = '100%';
    made.style.minHeight = '0';
    return made;
  });
  const [places, setPlaces] = useState(0);
  const [hidden, setHidden] = useState(false);
  const [actions] = useState(() => ({
    arrive: () => setPlaces((count) => count + 1),
    leave: () => setPlaces((count) => count - 1),
  }));
  return { element, places, hidden, setHidden, ...actions };
}

/** Renders the content once; it is displayed at the current `MovablePlace`. */
export function MovableContent({ movable, children }: { movable: Movable; children: ReactNode }) {
  return createPortal(<LabelsHidden value={movable.hidden}>{children}</LabelsHidden>, movable.element);
}

const scrolled = new WeakMap<Element, number>();

/** Stores scroll positions and restores them, since moving an element in the document resets them to zero. */
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
 * Remembers the focused element inside `root`, since moving `root` in the document loses the focus. The element is
 * focused again afterwards, unless another one was focused meanwhile.
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
  /** Shows the part only while no other place does, and does not count as a place. */
  fallback?: boolean;
  /** The part is out of sight here, so that its labels do not count. */
  hidden?: boolean;
};

/** A place at which the movable part can be displayed. */
export function MovablePlace({ movable, fallback = false, hidden = false }: PlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const { element, arrive, leave, setHidden } = movable;
  useEffect(() => {
    setHidden(hidden);
    return () => setHidden(false);
  }, [setHidden, hidden]);
  // Runs before this place is removed from the document, which would lose the focus.
  useLayoutEffect(() => () => keepFocus(element), [element]);
  useEffect(() => {
    // Another place was mounted at the same time; placed here, the part would be removed together with this fallback.
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
