import { afterAll } from 'vitest';

/**
 * Test files of the page share one process: what a file leaves on the page, or puts into the globals of its window, must
 * not meet the next one.
 */
const before = new Map(
  Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!]),
);

const hasPage = 'document' in globalThis;
// Most of them need no page, nor what draws one.
const cleanup = hasPage ? (await import('@testing-library/react')).cleanup : () => undefined;

afterAll(() => {
  if (hasPage) {
    cleanup();
    document.body.replaceChildren();
    localStorage.clear();
    sessionStorage.clear();
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    const [was, is] = [before.get(key), Object.getOwnPropertyDescriptor(globalThis, key)!];
    if (!is.configurable) continue;
    if (was === undefined) Reflect.deleteProperty(globalThis, key);
    else if (was.value !== is.value || was.get !== is.get) Object.defineProperty(globalThis, key, was);
  }
});
