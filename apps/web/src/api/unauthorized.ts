const listeners = new Set<() => void>();

/** Calls the listener when the server no longer takes our credential; returns the function that removes it. */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function notifyUnauthorized(): void {
  for (const listener of listeners) listener();
}
