import type { Map as MapLibreMap } from 'maplibre-gl';
import { vi } from 'vitest';
import { emptyFrame } from '../onscreen/frames.ts';
import type { ViewParts } from '../onscreen/parts.ts';

type Around = {
  lon: number;
  lat: number;
  /** Where the map would go to show what it is asked to. */
  camera?: { zoom: number };
};

/** A map of 100 px over one degree that stays where it was left; as MapLibre, it takes a longitude for the place in this world alone. */
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

/** Shows a picture whose platform is over this place, and whose camera looks at it. */
export function flyTo({ frames }: ViewParts, lat: number, lon: number): void {
  frames.publish({
    ...emptyFrame('eo', 0),
    record: { page, index: 0, timeUs: 0 },
    values: { '23': lat, '24': lon },
    platform: { lat, lon },
  });
}
