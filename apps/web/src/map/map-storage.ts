import { z } from 'zod';
import { readStoredJson, writeStored } from '../base/keys.ts';
import { DEFAULT_CENTRE, DEFAULT_ZOOM } from './view.ts';

/** Specification 2, section 4. */
export const CENTRE_MODES = { manual: 0, platform: 1, frame: 2, target: 3 } as const;
export type CentreMode = (typeof CENTRE_MODES)[keyof typeof CENTRE_MODES];

export const LAYERS = [
  'base',
  'names',
  'graticule',
  'trail',
  'footprint',
  'sight',
  'targets',
  'area',
  'path',
  'heatmap',
] as const;
export type Layer = (typeof LAYERS)[number];
export type LayerChoice = Record<Layer, boolean>;

/** Keys of local storage; `lastMapProps` is the specification's. */
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
});
type MapProps = z.output<typeof mapProps>;

const mapSettings = z.object({ trailSeconds: z.union([z.literal(20), z.literal(60), z.literal(300)]) });
export type MapSettings = z.output<typeof mapSettings>;

export const TRAIL_SECONDS = [20, 60, 300] as const;

const defaultProps: MapProps = {
  center: [DEFAULT_CENTRE.lon, DEFAULT_CENTRE.lat],
  zoom: DEFAULT_ZOOM,
  mapCenterMode: CENTRE_MODES.frame,
  mapControlsMode: 0,
  aoiControlsMode: 'sensorArea',
};

const defaultLayers: LayerChoice = {
  base: true,
  names: true,
  graticule: true,
  trail: true,
  footprint: true,
  sight: true,
  targets: true,
  area: false,
  path: false,
  heatmap: false,
};

/** What was kept, or the defaults where nothing or something broken was. */
export function readMapProps(): MapProps {
  return mapProps.safeParse(readStoredJson(KEYS.props)).data ?? defaultProps;
}

export function writeMapProps(props: MapProps): void {
  writeStored(KEYS.props, JSON.stringify(props));
}

export function readLayers(): LayerChoice {
  const kept = z.record(z.string(), z.boolean()).safeParse(readStoredJson(KEYS.layers)).data ?? {};
  // What was fetched for another mission starts switched off.
  const fetched = { area: false, path: false, heatmap: false };
  return { ...defaultLayers, ...kept, ...fetched };
}

export function writeLayers(layers: LayerChoice): void {
  writeStored(KEYS.layers, JSON.stringify(layers));
}

export function readMapSettings(): MapSettings {
  return mapSettings.safeParse(readStoredJson(KEYS.settings)).data ?? { trailSeconds: 20 };
}

export function writeMapSettings(settings: MapSettings): void {
  writeStored(KEYS.settings, JSON.stringify(settings));
}

const siteLayers = z.record(z.string(), z.array(z.string()));
const readAllSiteLayers = () => siteLayers.safeParse(readStoredJson(KEYS.siteLayers)).data ?? {};

/** Ids of the tile sets of the site that this user wants to see. */
export const readSiteLayers = (username: string): string[] => readAllSiteLayers()[username] ?? [];

export function writeSiteLayers(username: string, ids: readonly string[]): void {
  writeStored(KEYS.siteLayers, JSON.stringify({ ...readAllSiteLayers(), [username]: ids }));
}
