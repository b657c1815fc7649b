import { useSyncExternalStore } from 'react';

/** Ids of the exports requested by this page, which are downloaded as soon as they are ready. */
let requested: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>) {
  requested = next;
  for (const listener of listeners) listener();
}

export const requestedExports = {
  add: (id: string) => set(new Set([...requested, id])),
  /** Removes the export and returns whether it was requested, so that two lists of exports do not both download it. */
  take(id: string): boolean {
    if (!requested.has(id)) return false;
    set(new Set([...requested].filter((one) => one !== id)));
    return true;
  },
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const useRequestedExports = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => requested);
