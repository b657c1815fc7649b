import { type RefObject, useEffect, useRef, useState } from 'react';

type Started<Drawing> = {
  /** Ref of the element in which the map is drawn. */
  container: RefObject<HTMLDivElement | null>;
  /** The drawing; null until it has started. */
  drawing: Drawing | null;
  failed: boolean;
};

/**
 * Starts a map in an element when its code has been loaded, and again whenever `key` changes. Ends the map with the
 * component. While `key` is null, it waits. Effects of the component that draw on the map are cleaned up before the map
 * ends.
 */
export function useStartedMap<Drawing extends { end: () => void }>(
  start: (element: HTMLElement) => Promise<Drawing>,
  key: string | null = '',
): Started<Drawing> {
  const container = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef(start);
  latest.current = start;

  useEffect(() => {
    const element = container.current;
    if (element === null || key === null) return;
    let ended = false;
    let end: (() => void) | null = null;
    latest.current(element).then(
      (started) => {
        if (ended) return started.end();
        end = started.end;
        setDrawing(started);
      },
      () => setFailed(true),
    );
    return () => {
      ended = true;
      setDrawing(null);
      // Effects are cleaned up in the order in which they are declared, so this one comes before those that draw on the
      // map; the map is therefore ended in a microtask.
      if (end !== null) queueMicrotask(end);
    };
  }, [key]);

  return { container, drawing, failed };
}
