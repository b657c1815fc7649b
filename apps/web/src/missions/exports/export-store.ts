import { useSyncExternalStore } from 'react';

/** Exports that this page waits for: they are downloaded as soon as they are ready. */
let wanted: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>) {
  wanted = next;
  for (const listener of listeners) listener();
}

export const wantedExports = {
  add: (id: string) => set(new Set([...wanted, id])),
  /** Returns whether it was waited for, so that two lists of exports do not both download it. */
  take(id: string): boolean {
    if (!wanted.has(id)) return false;
    set(new Set([...wanted].filter((one) => one !== id)));
    return true;
  },
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const useWantedExports = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => wanted);
