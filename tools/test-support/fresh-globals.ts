import { afterAll } from 'vitest';

/**
 * Restores the page after each test file. Test files for the page share one process, so changes that one file makes to
 * the page, to the globals of its window or to the prototypes of its elements must not affect the next file.
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

// Import the library only if there is a page, since most test files need none.
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
