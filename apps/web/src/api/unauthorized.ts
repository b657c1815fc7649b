const listeners = new Set<() => void>();

/** Told when the server no longer takes our credential; answers with the way to stop listening. */
export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function tellUnauthorized(): void {
  for (const listener of listeners) listener();
}
