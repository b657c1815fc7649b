import type { Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, type Scheme, stateColours } from '../base/colours.ts';
import type { ViewServices } from '../onscreen/view-services.ts';
import { layerChoices, readSetting, writeSetting } from './map-storage.ts';
import {
  type Overlay,
  type OverlayPaint,
  type OverlaySetting,
  type OverlaySwitch,
  type RunningOverlay,
  stillWhile,
  switchesOf,
} from './overlay.ts';
import { svgElement } from './overlays/svg.ts';
import { texts } from './texts.ts';

type SwitchState = OverlaySwitch & { shown: boolean; busy: boolean };

/** State of the overlays, as shown by the menu and the toolbar. */
export type OverlayState = {
  /** All switches, each once, in the order of the menu. */
  switches: readonly SwitchState[];
  /** Switches that are also buttons of the toolbar, in the order of the overlays. */
  buttons: readonly (SwitchState & { icon: string })[];
  settings: readonly (OverlaySetting & { value: number })[];
};

type Entry = {
  overlay: Overlay;
  svg: SVGGElement;
  /** The running overlay; null until it has started. */
  running: RunningOverlay | null;
  /** Promises of the switches whose data are being loaded, by id. */
  waiting: Map<string, Promise<void>>;
};

type Options = {
  /** Map whose style has loaded. */
  map: MapLibreMap;
  svg: SVGSVGElement;
  services: ViewServices;
  scheme: Scheme;
  /** Called with a message when an overlay could not start, or could not show what was switched on. */
  onError: (message: string) => void;
};

export type OverlayHost = ReturnType<typeof createOverlayHost>;

/** Returns the id of the invisible layer that marks the position of an overlay in the layer order. */
const markerOf = ({ id }: Overlay) => `overlay-${id}`;

const hasSwitch = (overlay: Overlay, id: string) => switchesOf(overlay).some((one) => one.id === id);

/** Starts and stops the overlays of one map, and stores the user's choice for each. */
export function createOverlayHost({ map, svg, services, scheme, onError }: Options) {
  const entries = new Map<string, Entry>();
  const shown = new Map<string, boolean>();
  const values = new Map<string, number>();
  const listeners = new Set<() => void>();
  let overlays: readonly Overlay[] = [];
  let paint = paintOf(scheme);
  let isStopped = false;
  let state: OverlayState = { switches: [], buttons: [], settings: [] };

  /** Topmost layer of the map itself; all overlays are above it. */
  const ground = map.getLayersOrder().at(-1) ?? '';
  const isRunning = (entry: Entry) => entries.get(entry.overlay.id) === entry;

  function changed() {
    const all = [...entries.values()];
    const isBusy = (id: string) => all.some(({ waiting }) => waiting.has(id));
    const switches = switchesIn(overlays).map((one) => ({
      ...one,
      shown: shown.get(one.id) === true,
      busy: isBusy(one.id),
    }));
    state = {
      switches: byGroup(switches),
      buttons: switches.flatMap(({ icon, ...rest }) => (icon === undefined ? [] : { ...rest, icon })),
      settings: settingsIn(overlays).map((one) => ({ ...one, value: values.get(one.id)! })),
    };
    for (const listener of listeners) listener();
  }

  async function start(entry: Entry) {
    const { overlay } = entry;
    const still = stillWhile(() => isRunning(entry));
    const switchOff = (id = overlay.id) => setShown(id, false);
    try {
      const running = await overlay.start({
        map,
        below: markerOf(overlay),
        svg: entry.svg,
        services,
        still,
        switchOff,
      });
      if (!isRunning(entry)) return running.stop();
      entry.running = running;
      for (const { id } of overlay.settings ?? []) running.set?.(values.get(id)!, id);
      for (const { id } of switchesOf(overlay)) show(entry, id);
      running.paint(paint);
      if (entry.waiting.size > 0) changed();
    } catch (error) {
      if (isRunning(entry)) onError(messageOf(error));
    }
  }

  function show(entry: Entry, id: string) {
    const answer = entry.running?.show(shown.get(id) === true, id);
    if (!answer) return void entry.waiting.delete(id);
    entry.waiting.set(id, answer);
    /** False if the user has changed the switch in the meantime, or the overlay was stopped. */
    const isLatest = () => entry.waiting.get(id) === answer && isRunning(entry);
    answer
      .catch((error: unknown) => {
        if (!isLatest()) return;
        onError(messageOf(error));
        setShown(id, false);
      })
      .finally(() => {
        if (!isLatest()) return;
        entry.waiting.delete(id);
        changed();
      });
  }

  function setShown(id: string, next: boolean) {
    if (shown.get(id) === next) return;
    shown.set(id, next);
    storeOf(switchesIn(overlays).find((one) => one.id === id)).write(id, next);
    for (const entry of entries.values()) if (hasSwitch(entry.overlay, id)) show(entry, id);
    changed();
  }

  /** Adds an overlay in its position: above everything that the overlay before it draws. */
  function add(overlay: Overlay, before: Overlay | undefined) {
    const entry: Entry = { overlay, svg: svgElement('g'), running: null, waiting: new Map() };
    entries.set(overlay.id, entry);
    if (before) entries.get(before.id)!.svg.after(entry.svg);
    else svg.prepend(entry.svg);
    const order = map.getLayersOrder();
    const above = order[order.indexOf(before ? markerOf(before) : ground) + 1];
    map.addLayer({ id: markerOf(overlay), type: 'background', layout: { visibility: 'none' } }, above);
  }

  function remove(entry: Entry) {
    entries.delete(entry.overlay.id);
    entry.running?.stop();
    entry.svg.remove();
    map.removeLayer(markerOf(entry.overlay));
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Starts overlays that are new, each in its position, and stops those that are no longer in the list.
     * @throws when two overlays have the same id.
     */
    setOverlays(next: readonly Overlay[]) {
      if (isStopped) return;
      const duplicate = next.find(({ id }, index) => next.findIndex((one) => one.id === id) !== index);
      if (duplicate) throw new Error(`Two overlays of one map have the id ${duplicate.id}.`);
      for (const entry of [...entries.values()]) if (!next.includes(entry.overlay)) remove(entry);
      overlays = next;
      for (const one of switchesIn(next)) {
        if (!shown.has(one.id)) shown.set(one.id, storeOf(one).read(one.id) ?? one.initially ?? true);
      }
      for (const one of settingsIn(next)) if (!values.has(one.id)) values.set(one.id, readSetting(one));
      const added = next.filter(({ id }) => !entries.has(id));
      next.forEach((overlay, index) => {
        if (added.includes(overlay)) add(overlay, next[index - 1]);
      });
      for (const { id } of added) void start(entries.get(id)!);
      changed();
    },
    toggle: (id: string) => setShown(id, shown.get(id) !== true),
    setValue(id: string, value: number) {
      values.set(id, value);
      writeSetting(id, value);
      for (const { overlay, running } of entries.values()) {
        if (overlay.settings?.some((one) => one.id === id)) running?.set?.(value, id);
      }
      changed();
    },
    setScheme(next: Scheme) {
      paint = paintOf(next);
      for (const { running } of entries.values()) running?.paint(paint);
    },
    /** Must be called before the map is removed; afterwards nothing is started. */
    stop() {
      isStopped = true;
      for (const entry of [...entries.values()]) remove(entry);
    },
  };
}

const storeOf = (one: OverlaySwitch | undefined) => one?.choices ?? layerChoices;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : texts.unknownFault);

function paintOf(scheme: Scheme): OverlayPaint {
  const { sea, text } = chartColours[scheme];
  return { scheme, ground: sea, text, chosen: stateColours.warning[scheme] };
}

const switchesIn = (overlays: readonly Overlay[]) => uniqueById(overlays.flatMap(switchesOf));

/**
 * Sorts switches by group, then by rank: first those without a group, then the groups in the order of their first
 * occurrence.
 */
function byGroup<One extends OverlaySwitch>(switches: readonly One[]): One[] {
  const groups = ['', ...switches.map(({ group }) => group)];
  const placeOf = ({ group }: OverlaySwitch) => groups.indexOf(group);
  return switches.toSorted((one, other) => placeOf(one) - placeOf(other) || (one.rank ?? 0) - (other.rank ?? 0));
}

const settingsIn = (overlays: readonly Overlay[]) => uniqueById(overlays.flatMap(({ settings }) => settings ?? []));

const uniqueById = <One extends { id: string }>(all: readonly One[]): One[] =>
  all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
