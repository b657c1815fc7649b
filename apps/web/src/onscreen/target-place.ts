import type { Point } from '@osprey/geo';

/** A place that was asked about on a map, and where on the page to offer an answer, px. */
export type AskedPlace = { place: Point; x: number; y: number };

/** One value that lives as long as the page, over changes of map and view. */
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

/** Set by maps. */
export const askedPlace = signal<AskedPlace>();

/** Marked on maps, and on every picture that shows it; null for none. */
export const targetPlace = signal<Point>();
