import { createContext, type ReactNode, useContext, useDeferredValue } from 'react';

/** False while something is being loaded that should have the whole processor. */
export const DrawBehind = createContext(true);

/**
 * Renders its content in a second, deferred pass, which yields to more urgent work. Used around a picture, so that
 * rendering its surroundings does not delay it.
 */
export function Behind({ children }: { children: ReactNode }) {
  const isSecond = useDeferredValue(true, false);
  return useContext(DrawBehind) && isSecond ? children : null;
}
