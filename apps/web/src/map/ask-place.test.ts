// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it, vi } from 'vitest';
import { askedPlace } from '../onscreen/target-place.ts';
import { offerPlace } from './ask-place.ts';

afterEach(() => {
  askedPlace.set(null);
  vi.useRealTimers();
});

const lngLat = { lng: 384, lat: 37, wrap: () => ({ lng: 24, lat: 37 }) };
const point = { x: 200, y: 100 };
const asked = { place: { lon: 24, lat: 37 }, ...point };

function offered() {
  const container = document.createElement('div');
  const listeners = new Map<string, (event: object) => void>();
  offerPlace({
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    getCanvasContainer: () => container,
    getCenter: () => lngLat,
    project: () => point,
  } as unknown as MapLibreMap);
  return {
    /** Whether the map keeps the key from the browser. */
    press(key: string, more: KeyboardEventInit = {}) {
      const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more });
      container.dispatchEvent(event);
      return event.defaultPrevented;
    },
    /** Whether the map keeps the browser from clicking. */
    touch(ms: number) {
      listeners.get('touchstart')!({ points: [point], point, lngLat });
      vi.advanceTimersByTime(ms);
      const originalEvent = new Event('touchend', { cancelable: true });
      listeners.get('touchend')!({ originalEvent });
      return originalEvent.defaultPrevented;
    },
  };
}

it.each([['ContextMenu', {}] as const, ['F10', { shiftKey: true }] as const])(
  'asks about the middle of the map by %s',
  (key, more) => {
    expect(offered().press(key, more)).toBe(true);
    expect(askedPlace.get()).toEqual(asked);
  },
);

it('leaves other keys to the map', () => {
  const { press } = offered();
  for (const key of ['F10', 'ArrowLeft', 'Enter']) expect(press(key)).toBe(false);
  expect(askedPlace.get()).toBeNull();
});

it('asks by a long press, whose end clicks nothing, and not by a tap', () => {
  vi.useFakeTimers();
  const { touch } = offered();
  expect(touch(200)).toBe(false);
  expect(askedPlace.get()).toBeNull();
  expect(touch(900)).toBe(true);
  expect(askedPlace.get()).toEqual(asked);
  expect(touch(200)).toBe(false);
});
