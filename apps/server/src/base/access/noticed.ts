/** Above this number the oldest are dropped: a client is walking through all items. */
const CACHED = 20_000;

/**
 * Caches values of rows until a notice says that the rows have changed.
 *
 * The promise of a read is cached from its start, so a notice that arrives during the read drops it too and a value
 * from before a change never stays.
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
