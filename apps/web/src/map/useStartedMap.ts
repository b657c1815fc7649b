import { type RefObject, useEffect, useRef, useState } from 'react';

type Started<Drawing> = {
  /** Ref for the element in which the map is drawn. */
  container: RefObject<HTMLDivElement | null>;
  /** Null until it has come. */
  drawing: Drawing | null;
  failed: boolean;
};

/**
 * Starts a map in an element as soon as its code has come, again where `key` changes, and ends the map with the
 * component. Without a key (null) it waits. Effects of the component that draw on the map are undone before it ends.
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
      // Effects of the component end in the order of their lines, this one before those that draw.
      if (end !== null) queueMicrotask(end);
    };
  }, [key]);

  return { container, drawing, failed };
}
