const busy = new Set<object>();
const waiting = new Set<() => void>();

/** Marks the page as busy with something that must not be disturbed. Returns the function that ends it. */
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
 * Resolves at once, or when no caller asks for quiet any more. Work that can wait (code for later, the socket) waits
 * for this.
 */
export function whenQuiet(): Promise<void> {
  if (busy.size === 0) return Promise.resolve();
  return new Promise((resolve) => waiting.add(resolve));
}

/** Longest time that a page takes to load; later it is taken as failed. */
const ARRIVAL_MS = 6000;
let endArrival: (() => void) | null = null;

/** Quiet from now on, until the page that the address names has taken it over with `arrived`. */
export function arriving(): void {
  endArrival ??= keepQuiet();
  setTimeout(arrived, ARRIVAL_MS);
}

export function arrived(): void {
  endArrival?.();
  endArrival = null;
}
