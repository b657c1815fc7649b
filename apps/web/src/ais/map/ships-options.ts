import type { MapTargets } from './targets.ts';

/** Id of the switch for the names of ships, used in the stored choices of a user. */
export const NAMES = 'ship-names';
/** Id of the switch for the legend. */
export const LEGEND = 'ship-legend';

export type ShipsOptions = {
  targets: MapTargets;
  /** Called when a target was clicked on the map; null: the click was next to all targets, so none is chosen. */
  onSelect: (id: string | null) => void;
  /** Returns the time that is shown, in UTC microseconds. Default: the current time. */
  nowUs?: () => number;
};
