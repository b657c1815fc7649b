import { createSignal } from '../../onscreen/signal.ts';
import type { ViewServices } from '../../onscreen/view-services.ts';

/**
 * A map that shows ships. `clock`: the ships are shown at the time of the mission clock; `live`: at the present time.
 */
export type ShipsMap = { services: Pick<ViewServices, 'clock' | 'frames' | 'stores'>; mode: 'live' | 'clock' };

/**
 * The map with ships that is on screen; null: none. It is a global signal and not a React context, since the table may
 * be outside of the view to which the map belongs.
 */
export const shipsMap = createSignal<ShipsMap | null>(null);
