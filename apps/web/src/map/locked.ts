import { createSignal } from '../onscreen/signal.ts';

/** While the map is held by another control, it follows no platform. */
export const mapLocked = createSignal(false);
