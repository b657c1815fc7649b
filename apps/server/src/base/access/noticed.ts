/** More than this many are asked for again: somebody walks through everything there is. */
const KEPT = 20_000;

/**
 * Values of rows, kept until a notice says that the rows have changed.
 *
 * What is kept is the reading itself, begun before it is known how it ends: a notice that comes while it is under way
 * drops it too, so that a value from before a change never stays.
 */
export function noticed<Value>(load: (key: string) => Promise<Value>) {
  const kept = new Map<string, Promise<Value>>();
  return {
    get(key: string): Promise<Value> {
      const known = kept.get(key);
      if (known) return known;
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
