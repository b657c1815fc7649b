/**
 * Maximum number of cached values. The cache is emptied when it is reached, as when a client walks through all items.
 */
const CACHED = 20_000;

/**
 * Caches values of rows until a database notice reports that the rows have changed.
 *
 * The promise of a read is cached from its start, so that a notice arriving during the read drops it too and no value
 * from before a change remains cached.
 */
export function noticed<Value>(load: (key: string) => Promise<Value>) {
  const cached = new Map<string, Promise<Value>>();
  return {
    get(key: string): Promise<Value> {
      const existing = cached.get(key);
      if (existing) return existing;
      const reading = load(key);
      if (cached.size >= CACHED) cached.clear();
      cached.set(key, reading);
      reading.catch(() => {
        if (cached.get(key) === reading) cached.delete(key);
      });
      return reading;
    },
    forget: (key: string) => void cached.delete(key),
    forgetAll: () => cached.clear(),
  };
}
