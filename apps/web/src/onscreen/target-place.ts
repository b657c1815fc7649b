import type { Point } from '@osprey/geo';

/** A place that the user asked about on a map, and the position on the page at which to offer an answer, in px. */
export type AskedPlace = { place: Point; x: number; y: number };

/** A value that lives as long as the page, across changes of map and view. */
function signal<Value>() {
  let value: Value | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next: Value | null) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The place asked about; set by maps. */
export const askedPlace = signal<AskedPlace>();

/** Place that is marked on maps, and in every picture that shows it; null for none. */
export const targetPlace = signal<Point>();
