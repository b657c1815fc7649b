import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';

const ids = z.array(z.string());
/**
 * Maximum number of hidden ids; the oldest are dropped first, since ids of deleted annotations would otherwise remain
 * for ever.
 */
const RETAINED = 1000;

const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> | null = null;

function read(): ReadonlySet<string> {
  hidden ??= new Set(ids.safeParse(readStoredJson(storageKeys.hiddenAnnotations)).data);
  return hidden;
}

/**
 * Ids of annotations that the user has hidden on maps. They are stored in this browser and shared with other open
 * pages.
 */
export const hiddenAnnotations = {
  get: read,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  set(id: string, isHidden: boolean) {
    const others = [...read()].filter((one) => one !== id);
    hidden = new Set((isHidden ? [...others, id] : others).slice(-RETAINED));
    writeStored(storageKeys.hiddenAnnotations, hidden.size === 0 ? null : JSON.stringify([...hidden]));
    notify();
  },
  /** Drops the cached ids, so that the stored ones are read again; called when another account may have logged in. */
  forget() {
    hidden = null;
    notify();
  },
};

function notify() {
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKeys.hiddenAnnotations || key === null) hiddenAnnotations.forget();
  });
}

export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(hiddenAnnotations.subscribe, read);
