import type { Map as MapLibreMap } from 'maplibre-gl';
import { vi } from 'vitest';
import { baseStyle } from '../map/base-map.ts';
import { emptyFrame } from '../onscreen/frames.ts';
import type { ViewServices } from '../onscreen/view-services.ts';

type Around = {
  lon: number;
  lat: number;
  /** Camera that the map returns when it is asked to fit bounds. */
  camera?: { zoom: number };
};

/**
 * Creates a test map of 100 px per degree that ignores moves. As in MapLibre, a longitude is taken to be in this world,
 * and not in one of the repeated ones.
 */
export function testMap({ lon: lng, lat, camera }: Around) {
  const jumpTo = vi.fn();
  const container = { clientWidth: 100, clientHeight: 100 };
  const map = {
    getContainer: () => container,
    getCenter: () => ({ lng, lat }),
    project: ([east, north]: [number, number]) => ({ x: (east - lng + 0.5) * 100, y: (lat + 0.5 - north) * 100 }),
    cameraForBounds: () => camera,
    jumpTo,
    on: () => undefined,
    off: () => undefined,
  };
  return { map: map as unknown as MapLibreMap, jumpTo };
}

const page = { sensor: 'eo', from: 0, to: 1, more: false, time: [0], tags: {}, sets: [] };

/** Shows a picture whose platform is over this position, and whose camera looks at it. */
export function flyTo({ frames }: ViewServices, lat: number, lon: number): void {
  frames.publish({
    ...emptyFrame('eo', 0),
    record: { page, index: 0, timeUs: 0 },
    values: { '23': lat, '24': lon },
    platform: { lat, lon },
  });
}

type Listener = (event?: unknown) => void;

/**
 * Creates a test map without a screen that has loaded. It stores layers, sources and listeners; one degree is 100 px,
 * and its centre is 24° E, 37° N.
 */
export function keepingMap(container: HTMLElement = document.createElement('div')) {
  const canvas = container.appendChild(document.createElement('canvas'));
  const layers: { id: string; visibility: string; paint: Record<string, unknown> }[] = baseStyle('dark').layers.map(
    ({ id }) => ({ id, visibility: 'visible', paint: {} }),
  );
  const sources = new Map<string, { data: unknown }>();
  const images = new Set<string>();
  const listeners = new Map<string, Set<Listener>>();
  const of = (event: string) => listeners.get(event) ?? listeners.set(event, new Set()).get(event)!;
  const indexOf = (id: string) => {
    const index = layers.findIndex((one) => one.id === id);
    if (index < 0) throw new Error(`The map has no layer ${id}`);
    return index;
  };
  const handler = () => {
    let isEnabled = true;
    return {
      isEnabled: () => isEnabled,
      enable: () => {
        isEnabled = true;
      },
      disable: () => {
        isEnabled = false;
      },
    };
  };
  type Added = { id: string; layout?: { visibility?: string }; paint?: Record<string, unknown> };
  const map = {
    version: '6.0.0',
    removed: false,
    doubleClickZoom: handler(),
    dragPan: handler(),
    dragRotate: handler(),
    getContainer: () => container,
    getCanvas: () => canvas,
    getBearing: () => 0,
    getZoom: () => 8,
    getCenter: () => ({ lng: 24, lat: 37 }),
    getBounds: () => ({ getWest: () => 22, getEast: () => 26, getSouth: () => 36, getNorth: () => 38 }),
    project(at: [number, number] | { lng: number; lat: number }) {
      const [lng, lat] = Array.isArray(at) ? at : [at.lng, at.lat];
      return { x: (lng - 22) * 100, y: (39 - lat) * 100 };
    },
    unproject(at: [number, number] | { x: number; y: number }) {
      const [x, y] = Array.isArray(at) ? at : [at.x, at.y];
      return { lng: 22 + x / 100, lat: 39 - y / 100 };
    },
    cameraForBounds: () => undefined,
    jumpTo: () => undefined,
    on: (event: string, listener: Listener) => void of(event).add(listener),
    off: (event: string, listener: Listener) => void of(event).delete(listener),
    once: (event: string, listener: Listener) => void (event === 'load' ? listener() : of(event).add(listener)),
    addLayer({ id, layout, paint = {} }: Added, before?: string) {
      if (layers.some((one) => one.id === id)) throw new Error(`The map has a layer ${id} already`);
      const at = before === undefined ? layers.length : indexOf(before);
      layers.splice(at, 0, { id, visibility: layout?.visibility ?? 'visible', paint: { ...paint } });
    },
    getLayersOrder: () => layers.map(({ id }) => id),
    getLayer: (id: string) => layers.find((one) => one.id === id),
    removeLayer: (id: string) => void layers.splice(indexOf(id), 1),
    setLayoutProperty(id: string, _name: 'visibility', value: string) {
      layers[indexOf(id)]!.visibility = value;
    },
    getLayoutProperty: (id: string, _name: 'visibility') => layers[indexOf(id)]!.visibility,
    setLayerZoomRange: (id: string) => void indexOf(id),
    setPaintProperty(id: string, name: string, value: unknown) {
      layers[indexOf(id)]!.paint[name] = value;
    },
    addSource: (id: string, { data = null }: { data?: unknown }) => void sources.set(id, { data }),
    getSource(id: string) {
      const source = sources.get(id);
      if (!source) return undefined;
      return {
        setData(data: unknown) {
          source.data = data;
        },
      };
    },
    removeSource: (id: string) => void sources.delete(id),
    hasImage: (id: string) => images.has(id),
    addImage: (id: string) => void images.add(id),
    triggerRepaint: () => undefined,
    remove() {
      map.removed = true;
    },
  };
  return {
    map: map as unknown as MapLibreMap,
    canvas,
    isRemoved: () => map.removed,
    /**
     * Returns the ids of the added layers, lowest first, without the sea and the empty layers that mark the positions
     * of overlays.
     */
    layerIds: () => layers.map(({ id }) => id).filter((id) => id !== 'sea' && !id.startsWith('overlay-')),
    visibleIds: () => layers.filter(({ visibility }) => visibility === 'visible').map(({ id }) => id),
    paintOf: (id: string) => layers[indexOf(id)]!.paint,
    dataOf: (id: string) => sources.get(id)?.data,
    /** Returns everything that could be left over on the map. */
    state: () => ({
      layers: layers.map(({ id }) => id),
      sources: [...sources.keys()],
      listeners: [...listeners].flatMap(([event, all]) => (all.size > 0 ? `${event} ${all.size}` : [])),
      handlers: [map.doubleClickZoom, map.dragPan, map.dragRotate].map(({ isEnabled }) => isEnabled()),
      cursor: canvas.style.cursor,
    }),
  };
}
