const listeners = new Set<() => void>();

/**
 * Adds a listener that is called when the server no longer accepts the credential. Returns a function that removes it.
 */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function notifyUnauthorized(): void {
  for (const listener of listeners) listener();
}
