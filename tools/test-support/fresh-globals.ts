import { afterAll } from 'vitest';

/**
 * Test files of the page share one process: what a file leaves on the page, or puts into the globals of its window or
 * into the prototypes of its elements, must not meet the next one.
 */
const hasPage = 'document' in globalThis;
const holders: object[] = [
  globalThis,
  ...(hasPage
    ? [Element, HTMLElement, HTMLAnchorElement, HTMLCanvasElement, HTMLMediaElement, HTMLVideoElement].map(
        ({ prototype }) => prototype,
      )
    : []),
];
const before = holders.map((holder) => ({ holder, properties: propertiesOf(holder) }));

// Most of them need no page, nor what draws one.
const cleanup = hasPage ? (await import('@testing-library/react')).cleanup : () => undefined;

function propertiesOf(holder: object): Map<PropertyKey, PropertyDescriptor> {
  return new Map(Reflect.ownKeys(holder).map((key) => [key, Object.getOwnPropertyDescriptor(holder, key)!]));
}

afterAll(() => {
  if (hasPage) {
    cleanup();
    document.body.replaceChildren();
    localStorage.clear();
    sessionStorage.clear();
  }
  for (const { holder, properties } of before) restore(holder, properties);
});

function restore(holder: object, properties: ReadonlyMap<PropertyKey, PropertyDescriptor>): void {
  for (const [key, is] of propertiesOf(holder)) {
    const was = properties.get(key);
    if (!is.configurable) continue;
    if (was === undefined) Reflect.deleteProperty(holder, key);
    else if (was.value !== is.value || was.get !== is.get) Object.defineProperty(holder, key, was);
  }
}
