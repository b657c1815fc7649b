import { createContext } from 'react';
import type { Overlay } from './overlay.ts';

/**
 * Overlays of other features that a page adds to the map of its view, above those of the view itself, which does not
 * know these features. The list must stay the same as long as it draws the same.
 */
export const PageOverlays = createContext<readonly Overlay[]>([]);
