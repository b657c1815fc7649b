const busy = new Set<object>();
const waiting = new Set<() => void>();

/** Marks the page as busy with something that must not be disturbed. Returns a function that ends this. */
export function keepQuiet(): () => void {
  const mark = {};
  busy.add(mark);
  return () => {
    busy.delete(mark);
    if (busy.size > 0) return;
    for (const go of waiting) go();
    waiting.clear();
  };
}

export const isQuiet = (): boolean => busy.size > 0;

/**
 * Resolves immediately if the page is not busy, and otherwise as soon as no caller needs quiet any more. Used for work
 * that can wait, such as loading code for later, or opening the socket.
 */
export function whenQuiet(): Promise<void> {
  if (busy.size === 0) return Promise.resolve();
  return new Promise((resolve) => waiting.add(resolve));
}

/**
 * Maximum time in milliseconds that a page may take to load; after it, loading is considered failed and the quiet ends.
 */
const ARRIVAL_MS = 6000;
let endArrival: (() => void) | null = null;

/** Marks the page as busy until the page at the current address has loaded and calls `arrived`. */
export function arriving(): void {
  endArrival ??= keepQuiet();
  setTimeout(arrived, ARRIVAL_MS);
}

export function arrived(): void {
  endArrival?.();
  endArrival = null;
}
