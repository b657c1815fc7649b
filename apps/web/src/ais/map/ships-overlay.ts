import type { Overlay } from '../../map/overlay.ts';
import { LEGEND, NAMES, type ShipsOptions } from './ships-options.ts';
import { texts } from './texts.ts';

const VECTOR = 'ship-vector';

/**
 * Returns the overlay with ships and other AIS targets. The caller must keep the object, since a different object
 * restarts the overlay.
 */
export const shipsOverlay = (options: ShipsOptions): Overlay => ({
  id: 'ships',
  switches: [
    { id: 'ships', title: texts.ships, group: texts.group },
    { id: NAMES, title: texts.names, group: texts.group },
    { id: LEGEND, title: texts.legendSwitch, group: texts.group },
  ],
  settings: [
    {
      id: VECTOR,
      title: texts.vector,
      initially: 6,
      choices: [0, 3, 6, 12, 30].map((minutes) => ({
        value: minutes,
        text: minutes === 0 ? texts.noVector : texts.minutes(minutes),
        label: texts.vectorLabel(minutes),
      })),
    },
  ],
  start: async (deps) => (await deps.still(import('./ships-drawing.ts'))).startShips(deps, options),
});
