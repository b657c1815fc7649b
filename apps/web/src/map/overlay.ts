import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Scheme } from '../base/colours.ts';
import type { ViewServices } from '../onscreen/view-services.ts';

/** Storage of user choices, by the id of a switch. */
export type ChoiceStore = {
  /** Returns the choice; undefined if the user has not chosen yet. */
  read: (id: string) => boolean | undefined;
  write: (id: string, shown: boolean) => void;
};

/** Line of the layers menu that shows and hides something. */
export type OverlaySwitch = {
  /** Key under which the user's choice is stored, so it must not change. Overlays of one map may share a switch. */
  id: string;
  title: string;
  /** Heading in the menu; '' for the first lines of the menu, which have none. */
  group: string;
  /** Path of an icon. If given, the switch is also a button of the map's toolbar. */
  icon?: string;
  /** Source of the data, shown in the menu line, and on the map while the switch is on. */
  credit?: string;
  /** Position within the group, lowest first; switches of equal rank keep the order of the list. Default: 0. */
  rank?: number;
  /** State until the user has chosen. Default: true. */
  initially?: boolean;
  /** Where the choice is stored. Default: local storage, for all users of the browser. */
  choices?: ChoiceStore;
};

/** Choice between a few values, shown below the switches in the menu. */
export type OverlaySetting = {
  /** Key in local storage. Overlays of one map may share a setting. */
  id: string;
  title: string;
  /** Choices: `text` is shown in the menu, `label` is its accessible name. */
  choices: readonly { value: number; text: string; label: string }[];
  initially: number;
};

/** Waits for a promise, for example for code to load. Rejects if the overlay was stopped in the meantime. */
export type Still = <Value>(coming: Promise<Value>) => Promise<Value>;

/**
 * Returns such a function. After waiting it continues only if `isOn` returns true, since the map may have been removed.
 */
export const stillWhile =
  (isOn: () => boolean): Still =>
  async (coming) => {
    const value = await coming;
    if (!isOn()) throw new Error('The overlay was stopped before it had started.');
    return value;
  };

export type OverlayDeps = {
  /** Map whose style has loaded. */
  map: MapLibreMap;
  /**
   * Id of an invisible layer that marks the position of this overlay among the others. Layers are added with
   * `map.addLayer(layer, below)`, at any time.
   */
  below: string;
  /** Separate SVG group for this overlay in the drawing over the map; the host removes it. */
  svg: SVGGElement;
  services: ViewServices;
  /** Must wrap each promise that is awaited while starting. */
  still: Still;
  /** Turns a switch off because its data are outdated; without an id, the switch of the overlay itself. */
  switchOff: (id?: string) => void;
};

/** Colours for drawing over the map. */
export type OverlayPaint = { scheme: Scheme; ground: string; text: string; chosen: string };

export type RunningOverlay = {
  /**
   * Called for each switch after the start, and when the user changes it. The switch is busy until a returned promise
   * settles. If the promise is rejected, the message of the error is shown and the switch turns off.
   */
  show: (shown: boolean, id: string) => void | Promise<void>;
  /** Called after the first `show`, and when the theme changes. */
  paint: (paint: OverlayPaint) => void;
  /** Called for each setting before the first `show`, and whenever the user changes it. */
  set?: (value: number, id: string) => void;
  /** Removes the overlay's layers, sources and listeners. The map still exists at this time. */
  stop: () => void;
};

type Common = {
  settings?: readonly OverlaySetting[];
  /** Called once the map has loaded. If it fails, the error is shown, and the map works without this overlay. */
  start: (deps: OverlayDeps) => RunningOverlay | Promise<RunningOverlay>;
};

/**
 * A drawing on a map. It begins with `start` and ends with `stop`; after the start, `set`, `show` and `paint` are
 * called, in this order. A map receives its overlays as a list in drawing order, lowest first. An overlay either is a
 * switch itself, or has several switches, or none. Its id must be unique on the map. Memoize the object: a new object
 * with the same id replaces the running overlay.
 */
export type Overlay = Common & (OverlaySwitch | { id: string; switches: readonly OverlaySwitch[] });

export const switchesOf = (overlay: Overlay): readonly OverlaySwitch[] =>
  'switches' in overlay ? overlay.switches : [overlay];
