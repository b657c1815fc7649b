import { mdiHeatWave, mdiVectorPolygon, mdiVectorPolyline } from '@mdi/js';
import type { FeatureCollection, GeoJSON } from 'geojson';
import type { GeoJSONSource, LayerSpecification } from 'maplibre-gl';
import { platformInk } from '../../base/colours.ts';
import type { ViewServices } from '../../onscreen/view-services.ts';
import { noChoices } from '../map-storage.ts';
import type { Overlay, OverlayDeps, OverlaySwitch, RunningOverlay } from '../overlay.ts';
import { texts } from '../texts.ts';

/** Data that the server computes for a whole recording. */
export type RecordingData = 'area' | 'path' | 'heatmap';

type Look = {
  icon: string;
  rank?: number;
  /**
   * True for data of the leading sensor only, which are hidden when another sensor leads; false for data of the whole
   * mission.
   */
  ofLeader: boolean;
  layers: readonly LayerSpecification[];
  /** Paint properties that get the colour of the platform. */
  inked: readonly [layer: string, property: 'fill-color' | 'line-color'][];
};

const looks: Record<RecordingData, Look> = {
  heatmap: {
    icon: mdiHeatWave,
    rank: 1,
    ofLeader: true,
    layers: [
      {
        id: 'heatmap',
        type: 'heatmap',
        source: 'heatmap',
        paint: {
          'heatmap-weight': ['get', 'weight'],
          'heatmap-radius': ['interpolate', ['linear'], ['zoom'], 8, 8, 16, 28],
          'heatmap-opacity': 0.7,
        },
      },
    ],
    inked: [],
  },
  area: {
    icon: mdiVectorPolygon,
    ofLeader: false,
    layers: [
      { id: 'area', type: 'fill', source: 'area', paint: { 'fill-opacity': 0.15 } },
      { id: 'area-edge', type: 'line', source: 'area', paint: { 'line-width': 1, 'line-opacity': 0.7 } },
    ],
    inked: [
      ['area', 'fill-color'],
      ['area-edge', 'line-color'],
    ],
  },
  path: {
    icon: mdiVectorPolyline,
    ofLeader: true,
    layers: [{ id: 'path', type: 'line', source: 'path', paint: { 'line-width': 1.5, 'line-opacity': 0.8 } }],
    inked: [['path', 'line-color']],
  },
};

const EMPTY: FeatureCollection = { type: 'FeatureCollection', features: [] };

type Options = {
  /** Colour as #rrggbb. */
  colour: string;
  /** Requests the data from the server; `leader`: id of the leading sensor. @throws with a message for the user */
  read: (leader: string | null) => Promise<GeoJSON>;
};

/**
 * Creates an overlay of data that the server computes. The data are requested when the overlay is first shown. Whether
 * it is shown is not stored.
 */
export function recordingOverlay(id: RecordingData, options: Options): Overlay {
  const { icon, rank = 0 } = looks[id];
  const line: OverlaySwitch = { id, title: texts.layers[id], group: '', icon, rank, initially: false };
  return { ...line, choices: noChoices, start: (deps) => startRecording(deps, { id, ...options }) };
}

function startRecording(
  { map, below, services: { clock }, switchOff }: OverlayDeps,
  { id, colour, read }: Options & { id: RecordingData },
): RunningOverlay {
  const { layers, inked, ofLeader } = looks[id];
  map.addSource(id, { type: 'geojson', data: EMPTY });
  for (const layer of layers) map.addLayer(layer, below);
  const setData = (data: GeoJSON) => void map.getSource<GeoJSONSource>(id)?.setData(data);
  // Data of one sensor do not apply to another, so the overlay is switched off when another sensor leads.
  const unsubscribe = ofLeader ? onOtherLeader(clock, switchOff) : () => undefined;
  let isRequested = false;

  async function load() {
    const data = await read(clock.get().leader);
    if (isRequested) setData(data);
  }

  return {
    show(shown) {
      const wasRequested = isRequested;
      isRequested = shown;
      if (shown) return load();
      if (wasRequested) setData(EMPTY);
    },
    paint({ scheme }) {
      const ink = platformInk(colour, scheme);
      for (const [layer, property] of inked) map.setPaintProperty(layer, property, ink);
    },
    stop() {
      unsubscribe();
      isRequested = false;
      for (const layer of layers) map.removeLayer(layer.id);
      map.removeSource(id);
    },
  };
}

function onOtherLeader(clock: ViewServices['clock'], notify: () => void): () => void {
  let { leader } = clock.get();
  return clock.subscribe(() => {
    if (clock.get().leader === leader) return;
    leader = clock.get().leader;
    notify();
  });
}
