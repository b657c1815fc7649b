import { createContext, type ReactNode, useContext, useDeferredValue } from 'react';

/** False while something is on its way that is to have the machine to itself. */
export const DrawBehind = createContext(true);

/**
 * Draws its content in a second pass, which gives way to whatever comes meanwhile: for what stands around a picture, so that
 * drawing it does not hold up the picture itself.
 */
export function Behind({ children }: { children: ReactNode }) {
  const isSecond = useDeferredValue(true, false);
  return useContext(DrawBehind) && isSecond ? children : null;
}
