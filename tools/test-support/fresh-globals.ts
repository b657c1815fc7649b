import { afterAll } from 'vitest';

/**
 * Test files of the page share one process: what a file puts into the globals of its window must not meet the next one,
 * which has a window of its own.
 */
const before = new Map(
  Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!]),
);

afterAll(() => {
  for (const key of Reflect.ownKeys(globalThis)) {
    const [was, is] = [before.get(key), Object.getOwnPropertyDescriptor(globalThis, key)!];
    if (!is.configurable) continue;
    if (was === undefined) Reflect.deleteProperty(globalThis, key);
    else if (was.value !== is.value || was.get !== is.get) Object.defineProperty(globalThis, key, was);
  }
});
