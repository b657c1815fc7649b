// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { createFrameMaker, emptyFrame } from '../player/frames.ts';
import { viewParts } from '../player/test-parts.ts';
import { createLiveLayer } from './liveLayer.ts';
import { readLayers } from './mapStorage.ts';

/** A map whose degrees are pixels. */
const map = {
  on: () => undefined,
  off: () => undefined,
  project: ([lon, lat]: [number, number]) => ({ x: lon, y: lat }),
  getCenter: () => ({ lng: 0, lat: 0 }),
} as unknown as MapLibreMap;

function layer() {
  const parts = viewParts();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const drawn = createLiveLayer({ map, svg, parts, platform: { type: 'Plane', name: 'OSP-21' } });
  drawn.setLayers({ ...readLayers(), trail: false });
  const marker = svg.querySelector<SVGElement>('[data-part="platform-marker"]')!;
  return {
    parts,
    /** Where the marker stands; null while it is hidden. */
    markerAt: () => (marker.style.display === 'none' ? null : marker.getAttribute('transform')),
    tell(sensorId: string, lon: number) {
      const page = {
        sensor: sensorId,
        from: 0,
        to: 1,
        more: false,
        time: [0],
        tags: { '13': [37], '14': [lon] },
        sets: [],
      };
      const record = { page, index: 0, timeUs: 0 };
      parts.frames.publish(createFrameMaker(sensorId)({ timeUs: 0, record, width: 0, height: 0 }));
    },
  };
}

it('shows the platform by the leader, and keeps it where a sensor without telemetry is let lead', () => {
  const { parts, markerAt, tell } = layer();
  tell('eo', 24);
  tell('track', 25);

  parts.clock.lead('track');
  expect(markerAt()).toBe('translate(25.0 37.0)');
  parts.frames.publish(emptyFrame('empty', 0));
  parts.clock.lead('empty');
  expect(markerAt()).toBe('translate(24.0 37.0)');
  tell('track', 26);
  expect(markerAt()).toBe('translate(24.0 37.0)');
  tell('eo', 27);

  expect(markerAt()).toBe('translate(27.0 37.0)');
});

it('takes the platform away where no sensor tells of it any more', () => {
  const { parts, markerAt, tell } = layer();
  tell('track', 25);
  parts.clock.lead('track');

  parts.frames.publish(emptyFrame('track', 1));

  expect(markerAt()).toBeNull();
});
