import { createContext, type ReactNode, useContext, useDeferredValue } from 'react';

/** False while something is on its way that is to have the machine to itself. */
export const DrawBehind = createContext(true);

/**
 * Draws its content in a second pass, which yields to more urgent work: for the surroundings of a picture, so that
 * drawing them does not delay the picture itself.
 */
export function Behind({ children }: { children: ReactNode }) {
  const isSecond = useDeferredValue(true, false);
  return useContext(DrawBehind) && isSecond ? children : null;
}
