import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Scheme } from '../base/colours.ts';
import type { ViewServices } from '../onscreen/view-services.ts';

/** Storage of what users chose, by the id of a switch. */
export type ChoiceStore = {
  /** Undefined until the user has chosen. */
  read: (id: string) => boolean | undefined;
  write: (id: string, shown: boolean) => void;
};

/** A line of the layers menu that shows and hides something. */
export type OverlaySwitch = {
  /** Key of the user's choice; a name that outlives the process. Overlays of one map may share a switch. */
  id: string;
  title: string;
  /** Heading in the menu; '' for the first lines of the menu, which have none. */
  group: string;
  /** Path of an icon: the switch is also a button of the map's toolbar. */
  icon?: string;
  /** Source of the data: shown in the menu line, and on the map while the switch is on. */
  credit?: string;
  /** Position in the group, lowest first; equal ranks keep the order of the list. Default 0. */
  rank?: number;
  /** Used until the user has chosen. Default true. */
  initially?: boolean;
  /** Default: local storage, for all users of the browser. */
  choices?: ChoiceStore;
};

/** A choice between a few values, below the switches in the menu. */
export type OverlaySetting = {
  /** Key in local storage. Overlays of one map may share a setting. */
  id: string;
  title: string;
  /** `text` is shown in the menu, `label` is its accessible name. */
  choices: readonly { value: number; text: string; label: string }[];
  initially: number;
};

/** Waits for what is coming, such as code; rejects where the overlay was stopped meanwhile. */
export type Still = <Value>(coming: Promise<Value>) => Promise<Value>;

/** Goes on after a wait only while `isOn`: the map may be gone by then. */
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
   * An invisible layer of the map that marks the place of this overlay between the others. Layers are added with
   * `map.addLayer(layer, below)`, at any time.
   */
  below: string;
  /** A group of its own in the drawing over the map; the host removes it. */
  svg: SVGGElement;
  services: ViewServices;
  /** Around each wait of an asynchronous start. */
  still: Still;
  /** Turns a switch off because its data are out of date; without an id, the switch of the overlay. */
  switchOff: (id?: string) => void;
};

/** Colours of what is drawn over the map. */
export type OverlayPaint = { scheme: Scheme; ground: string; text: string; chosen: string };

export type RunningOverlay = {
  /**
   * Called for each switch after the start, and when the user changes it. The switch is busy until a returned promise
   * settles. If the promise is rejected, the message of the error is shown and the switch turns off.
   */
  show: (shown: boolean, id: string) => void | Promise<void>;
  /** Called after the first `show`, and when the theme changes. */
  paint: (paint: OverlayPaint) => void;
  /** Called for each setting before the first `show`, and when the user changes it. */
  set?: (value: number, id: string) => void;
  /** Removes its layers, sources and listeners. The map is still there. */
  stop: () => void;
};

type Common = {
  settings?: readonly OverlaySetting[];
  /** Called once the map has loaded. If it fails, its error is shown and the map works without this overlay. */
  start: (deps: OverlayDeps) => RunningOverlay | Promise<RunningOverlay>;
};

/**
 * Something that is drawn on a map, from `start` to `stop`: `set`, `show` and `paint` follow the start, in this order.
 * The list that a map receives is in drawing order, lowest first. An overlay is its own switch, or has several, or none.
 * Its id is unique on the map. Memoize the object: a new object with the same id replaces the running overlay.
 */
export type Overlay = Common & (OverlaySwitch | { id: string; switches: readonly OverlaySwitch[] });

export const switchesOf = (overlay: Overlay): readonly OverlaySwitch[] =>
  'switches' in overlay ? overlay.switches : [overlay];
