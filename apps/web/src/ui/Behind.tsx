import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its content in a second pass, which gives way to whatever comes meanwhile: for what stands around a picture, so that
 * drawing it does not hold up the picture itself.
 */
export function Behind({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}
