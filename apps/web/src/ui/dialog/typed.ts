import { useEffect, useSyncExternalStore } from 'react';

/** Unsaved input. `name`: the address parameter whose change closes the form. */
type Holder = { name: string | null };

const holders = new Set<Holder>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns whether leaving the page, or the account, would lose something. */
export const isSomethingTyped = (): boolean => holders.size > 0;

type Place = { pathname: string; search: string };

/** Returns whether a navigation would lose unsaved input. Dialogs of a page remain open if only its query changes. */
export function losesTyped(from: Place, to: Place): boolean {
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)];
  return [...holders].some(
    ({ name }) => from.pathname !== to.pathname || (name !== null && before.get(name) !== after.get(name)),
  );
}

/** Registers unsaved input. Returns a function that releases it. */
export function holdTyped(name: string | null = null): () => void {
  const holder: Holder = { name };
  holders.add(holder);
  notify();
  return () => {
    if (holders.delete(holder)) notify();
  };
}

/** Discards all registered input after the user agreed to lose it. */
export function forgetTyped(): void {
  holders.clear();
  notify();
}

/**
 * Protects a form: while it is dirty, leaving it requires confirmation.
 *
 * @param name address parameter of the item that the form belongs to, if the form is not in a dialog
 */
export function useHoldTyped(dirty: boolean, name: string | null = null): void {
  useEffect(() => (dirty ? holdTyped(name) : undefined), [dirty, name]);
}

export const useSomethingTyped = (): boolean => useSyncExternalStore(subscribe, isSomethingTyped);
