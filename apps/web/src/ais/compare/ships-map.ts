import { createSignal } from '../../onscreen/signal.ts';
import type { ViewServices } from '../../onscreen/view-services.ts';

/** The map that shows ships. `clock`: the moment on screen is that of the clock; `live`: it is now. */
export type ShipsMap = { services: Pick<ViewServices, 'clock' | 'frames' | 'stores'>; mode: 'live' | 'clock' };

/**
 * The map with ships that is on screen; null: there is none. The table may be outside of the view that the map belongs
 * to, so this is no context.
 */
export const shipsMap = createSignal<ShipsMap | null>(null);
