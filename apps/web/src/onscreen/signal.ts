/** A value that changes often, with a few listeners that are called without React. */
export type Signal<Value> = ReturnType<typeof createSignal<Value>>;

export function createSignal<Value>(first: Value) {
  let value = first;
  const listeners = new Set<(value: Value) => void>();
  return {
    get: () => value,
    set(next: Value) {
      value = next;
      for (const listener of listeners) listener(next);
    },
    subscribe(listener: (value: Value) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
