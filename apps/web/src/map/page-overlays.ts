import { createContext } from 'react';
import type { Overlay } from './overlay.ts';

/**
 * Overlays that a page adds to the map of its view, above those of the view itself: those of features, which the view does
 * not know. The same list while the same things are drawn.
 */
export const PageOverlays = createContext<readonly Overlay[]>([]);
