// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { createFrameMaker, emptyFrame } from '../../onscreen/frames.ts';
import { createTelemetryStore } from '../../onscreen/telemetry-store.ts';
import { viewServices } from '../../testing/view-services.ts';
import type { RunningOverlay } from '../overlay.ts';
import { frameOverlay } from './frame-overlay.ts';

/** A map whose degrees are pixels. */
const map = {
  on: () => undefined,
  off: () => undefined,
  project: ([lon, lat]: [number, number]) => ({ x: lon, y: lat }),
  getCenter: () => ({ lng: 0, lat: 0 }),
} as unknown as MapLibreMap;

const PART = {
  marker: '[data-part="platform-marker"]',
  mark: '[data-part="pointer-mark"]',
  trail: '[data-part="trail"]',
};

function layer() {
  const services = viewServices();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  const overlay = frameOverlay({ type: 'Plane', name: 'OSP-21', colour: '#22C7E6' });
  const drawn = overlay.start({
    map,
    svg,
    below: '',
    services,
    still: (coming) => coming,
    switchOff: () => undefined,
  }) as RunningOverlay;
  drawn.set?.(20, 'trailSeconds');
  for (const id of ['footprint', 'sight', 'targets']) drawn.show(true, id);
  drawn.paint({ scheme: 'dark', ground: '#000000', text: '#ffffff', chosen: '#f5d76e' });
  const part = (name: keyof typeof PART) => svg.querySelector<SVGElement>(PART[name])!;
  const placeOf = (element: SVGElement) =>
    element.style.display === 'none' ? null : element.getAttribute('transform');
  return {
    services,
    drawn,
    svg,
    /** Where the pointer on a picture is marked. */
    markAt: () => placeOf(part('mark')),
    /** The degrees of longitude that the trail goes through, the oldest first; null while it is hidden. */
    trailThrough() {
      const lines = [...part('trail').children].map((piece) => piece.getAttribute('d') ?? '').join('');
      if (part('trail').style.display === 'none') return null;
      return [...new Set([...lines.matchAll(/[ML]([\d.]+)/g)].map(([, x]) => Number(x)))];
    },
    /** Place of the marker; null while it is hidden. */
    markerAt: () => placeOf(part('marker')),
    notify(sensorId: string, lon: number) {
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
      services.frames.publish(createFrameMaker(sensorId)({ timeUs: 0, record, width: 0, height: 0 }));
    },
  };
}

it('shows the platform by the leader, and keeps it where a sensor without telemetry is let lead', () => {
  const { services, markerAt, notify } = layer();
  notify('eo', 24);
  notify('track', 25);

  services.clock.lead('track');
  expect(markerAt()).toBe('translate(25.0 37.0)');
  services.frames.publish(emptyFrame('empty', 0));
  services.clock.lead('empty');
  expect(markerAt()).toBe('translate(24.0 37.0)');
  notify('track', 26);
  expect(markerAt()).toBe('translate(24.0 37.0)');
  notify('eo', 27);

  expect(markerAt()).toBe('translate(27.0 37.0)');
});

it('takes the platform away if no sensor reports it any more', () => {
  const { services, markerAt, notify } = layer();
  notify('track', 25);
  services.clock.lead('track');

  services.frames.publish(emptyFrame('track', 1));

  expect(markerAt()).toBeNull();
});

it('takes away what a sensor saw, and the platform, when that sensor leaves the screen', () => {
  const { services, svg, markerAt, notify } = layer();
  const corners = { '82': [38], '83': [24], '84': [38], '85': [25], '86': [37], '87': [25], '88': [37], '89': [24] };
  const page = { sensor: 'ir', from: 0, to: 1, more: false, time: [0], tags: corners, sets: [] };
  const record = { page, index: 0, timeUs: 0 };
  services.frames.publish(createFrameMaker('ir')({ timeUs: 0, record, width: 0, height: 0 }));
  notify('eo', 24);
  services.clock.lead('eo');
  const footprint = svg.querySelector<SVGElement>('[data-sensor-id="ir"] [data-part="footprint"]')!;
  expect(footprint.style.display).not.toBe('none');

  services.frames.forget('ir');
  expect(footprint.style.display).toBe('none');
  expect(markerAt()).not.toBeNull();
  services.frames.forget('eo');

  expect(markerAt()).toBeNull();
});

it('draws what each sensor sees where its frame says, and marks the ground under the pointer', () => {
  const { services, svg, markAt } = layer();
  const corners = { '82': [38], '83': [24], '84': [38], '85': [25], '86': [37], '87': [25], '88': [37], '89': [24] };
  const page = { sensor: 'ir', from: 0, to: 1, more: false, time: [0], tags: corners, sets: [] };

  services.frames.publish(
    createFrameMaker('ir')({ timeUs: 0, record: { page, index: 0, timeUs: 0 }, width: 0, height: 0 }),
  );
  expect(svg.querySelector('[data-sensor-id="ir"] [data-part="footprint"]')!.getAttribute('d')).toBe(
    'M24.0 38.0L25.0 38.0L25.0 37.0L24.0 37.0Z',
  );

  expect(markAt()).toBeNull();
  services.pointed.set({ lon: 24.5, lat: 37.5 });
  expect(markAt()).toBe('translate(24.5 37.5)');
  services.pointed.set(null);
  expect(markAt()).toBeNull();
});

it('draws the trail of the leader after its marker, as long as it is asked to, and not if its layer is off', async () => {
  const { services, drawn, trailThrough } = layer();
  const seconds = Array.from({ length: 30 }, (_, index) => index);
  const time = seconds.map((second) => second * 1e6);
  const tags = { '13': seconds.map(() => 37), '14': seconds };
  const page = { sensor: 'eo', from: 0, to: 60_000_000, more: false, time, tags, sets: [] };
  const store = createTelemetryStore({
    sensorId: 'eo',
    startUs: 0,
    endUs: 60_000_000,
    fetchPage: async () => page,
    fetchSet: () => Promise.reject(new Error('not asked for')),
    onChange: () => undefined,
    now: () => 0,
  });
  await store.pageAt(0);
  services.stores.set('eo', store);
  const timeUs = 25_000_000;
  services.frames.publish(createFrameMaker('eo')({ timeUs, record: store.recordAt(timeUs), width: 0, height: 0 }));
  expect(trailThrough()).toBeNull();

  drawn.show(true, 'trail');
  expect(trailThrough()).toEqual(seconds.slice(5, 26));
  drawn.set?.(10, 'trailSeconds');
  expect(trailThrough()).toEqual(seconds.slice(15, 26));
  drawn.show(false, 'trail');

  expect(trailThrough()).toBeNull();
});
