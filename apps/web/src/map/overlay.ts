import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Scheme } from '../base/colours.ts';
import type { ViewParts } from '../onscreen/parts.ts';

/** Where the choices of users are kept, by the id of a switch. */
export type ChoiceStore = {
  /** Undefined while nobody has chosen. */
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
  /** Whom the data are owed to: part of the menu line, and written on the map while the switch is on. */
  credit?: string;
  /** Order in the group; then the order of the list counts. Default 0. */
  rank?: number;
  /** Where nobody has chosen yet. Default true. */
  initially?: boolean;
  /** Default: local storage, for all users of the browser. */
  choices?: ChoiceStore;
};

/** A choice between a few values, below the switches in the menu. */
export type OverlaySetting = {
  /** Key in local storage. Overlays of one map may share a setting. */
  id: string;
  title: string;
  /** `label` is the accessible name, `text` what stands in the menu. */
  choices: readonly { value: number; text: string; label: string }[];
  initially: number;
};

export type OverlayDeps = {
  /** Its style has loaded. */
  map: MapLibreMap;
  /**
   * An invisible layer of the map that marks the place of this overlay between the others. Layers are added with
   * `map.addLayer(layer, below)`, at any time.
   */
  below: string;
  /** A group of its own in the drawing over the map; the host removes it. */
  svg: SVGGElement;
  parts: ViewParts;
  /** Turns a switch off (without an id: that of the overlay), because what it shows is no longer true. */
  switchOff: (id?: string) => void;
};

/** Colours of what is drawn over the map. */
export type OverlayPaint = { scheme: Scheme; ground: string; text: string; chosen: string };

export type RunningOverlay = {
  /**
   * Called for each switch after the start, and when the user changes it. A promise says that data are on their way: the
   * switch is busy until then. Where it is rejected, the user reads the message, and the switch turns off.
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
  /** Called once the map has loaded. Where it fails, the map goes on without this overlay. */
  start: (deps: OverlayDeps) => RunningOverlay | Promise<RunningOverlay>;
};

/**
 * What is drawn on a map, from `start` to `stop`. A page hands its overlays to the map in the order in which they are
 * drawn, the lowest first. An overlay is its own switch, or has several, or none. Its id is unique on the map. The object
 * stays the same while the same things are drawn: another object with the same id is started in its place.
 */
export type Overlay = Common & (OverlaySwitch | { id: string; switches: readonly OverlaySwitch[] });

export const switchesOf = (overlay: Overlay): readonly OverlaySwitch[] =>
  'switches' in overlay ? overlay.switches : [overlay];
