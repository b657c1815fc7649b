import type { MapTargets } from './targets.ts';

/** Switch of the names of ships, as the choices of a user name it. */
export const NAMES = 'ship-names';
/** Switch of the legend. */
export const LEGEND = 'ship-legend';

export type ShipsOptions = {
  targets: MapTargets;
  /** A target was chosen on the map, or the ground, which chooses none. */
  onSelect: (id: string | null) => void;
  /** UTC microseconds of the moment that is shown. Default: now. */
  nowUs?: () => number;
};
