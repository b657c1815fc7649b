const busy = new Set<object>();
const waiting = new Set<() => void>();

/** Says that the page is at something that must not be disturbed; returns how to take it back. */
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

/** No page takes longer to come, unless it never does. */
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
