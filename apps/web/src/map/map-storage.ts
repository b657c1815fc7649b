import type { Point } from '@osprey/geo';
import { z } from 'zod';
import { readStoredJson, writeStored } from '../base/keys.ts';
import type { ChoiceStore, OverlaySetting } from './overlay.ts';
import { DEFAULT_CENTRE, DEFAULT_ZOOM } from './view.ts';

/** Modes that define what the map is centred on (specification 2, section 4). */
export const CENTRE_MODES = { manual: 0, platform: 1, frame: 2, target: 3 } as const;
export type CentreMode = (typeof CENTRE_MODES)[keyof typeof CENTRE_MODES];

/** Keys of local storage; `lastMapProps` is defined by the specification. */
const KEYS = {
  props: 'lastMapProps',
  layers: 'mapLayers',
  settings: 'mapSettings',
  siteLayers: 'mapSiteLayers',
} as const;

const mapProps = z.object({
  center: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]),
  zoom: z.number().min(0).max(22),
  mapCenterMode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  mapControlsMode: z.int().default(0),
  aoiControlsMode: z.enum(['sensorArea', 'frameCenter', 'platformPath']).default('sensorArea'),
  /** False: no user moved a map yet, so that its place says where a map followed something, or nothing. */
  moved: z.boolean().default(true),
});
type MapProps = z.output<typeof mapProps>;

const defaultProps: MapProps = {
  center: [DEFAULT_CENTRE.lon, DEFAULT_CENTRE.lat],
  zoom: DEFAULT_ZOOM,
  mapCenterMode: CENTRE_MODES.frame,
  mapControlsMode: 0,
  aoiControlsMode: 'sensorArea',
  moved: false,
};

/** Returns the stored values, or the defaults if they are missing or invalid. */
export function readMapProps(): MapProps {
  return mapProps.safeParse(readStoredJson(KEYS.props)).data ?? defaultProps;
}

/** Returns the centre of the map as the user last left it; null if no map has been moved yet. */
export function middleOfMap(): Point | null {
  const { center, moved } = readMapProps();
  return moved ? { lon: center[0], lat: center[1] } : null;
}

export function writeMapProps(props: MapProps): void {
  writeStored(KEYS.props, JSON.stringify(props));
}

const readLayers = () => z.record(z.string(), z.boolean()).safeParse(readStoredJson(KEYS.layers)).data ?? {};

/** Choices shared by all users of the browser, by the id of a switch. */
export const layerChoices: ChoiceStore = {
  read: (id) => readLayers()[id],
  write: (id, shown) => writeStored(KEYS.layers, JSON.stringify({ ...readLayers(), [id]: shown })),
};

/** Choices that end with the map, so that data fetched for one mission are not automatically fetched for the next. */
export const noChoices: ChoiceStore = { read: () => undefined, write: () => undefined };

const readSettings = () => z.record(z.string(), z.number()).safeParse(readStoredJson(KEYS.settings)).data ?? {};

/** Returns the stored value of a setting if it is one of the choices, otherwise the initial value. */
export function readSetting({ id, choices, initially }: OverlaySetting): number {
  const stored = readSettings()[id];
  return choices.find(({ value }) => value === stored)?.value ?? initially;
}

export function writeSetting(id: string, value: number): void {
  writeStored(KEYS.settings, JSON.stringify({ ...readSettings(), [id]: value }));
}

const siteLayers = z.record(z.string(), z.array(z.string()));
const readSiteLayers = () => siteLayers.safeParse(readStoredJson(KEYS.siteLayers)).data ?? {};

/** Choices of the site's tile sets for one user of the browser; all of them are off until chosen. */
export function siteChoices(username: string): ChoiceStore {
  const chosen = () => readSiteLayers()[username] ?? [];
  return {
    read: (id) => chosen().includes(id),
    write(id, shown) {
      const others = chosen().filter((one) => one !== id);
      const next = shown ? [...others, id] : others;
      writeStored(KEYS.siteLayers, JSON.stringify({ ...readSiteLayers(), [username]: next }));
    },
  };
}
