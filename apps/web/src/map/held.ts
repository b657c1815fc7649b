import { createSignal } from '../onscreen/signal.ts';

/** While somebody else says what the map shows, it follows no platform. */
export const mapHeld = createSignal(false);
