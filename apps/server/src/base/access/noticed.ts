/** Above this number the oldest are dropped: a client is walking through all items. */
const KEPT = 20_000;

/**
 * Caches values of rows until a notice says that the rows have changed.
 *
 * The promise of a read is cached from its start, so a notice that arrives during the read drops it too and a value
 * from before a change never stays.
 */
export function noticed<Value>(load: (key: string) => Promise<Value>) {
  const kept = new Map<string, Promise<Value>>();
  return {
    get(key: string): Promise<Value> {
      const existing = kept.get(key);
      if (existing) return existing;
      const reading = load(key);
      if (kept.size >= KEPT) kept.clear();
      kept.set(key, reading);
      reading.catch(() => {
        if (kept.get(key) === reading) kept.delete(key);
      });
      return reading;
    },
    forget: (key: string) => void kept.delete(key),
    forgetAll: () => kept.clear(),
  };
}
