import { createSignal } from '../onscreen/signal.ts';

/** True while another control holds the map, which then follows no platform. */
export const mapLocked = createSignal(false);
