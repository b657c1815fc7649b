// @vitest-environment jsdom
import type { Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, expect, it } from 'vitest';
import { targetPlace } from '../onscreen/target-place.ts';
import { markTarget } from './mark-target.ts';

afterEach(() => targetPlace.set(null));

/** A map of one pixel a degree around a middle that can be moved. */
function marked() {
  const listeners = new Map<string, () => void>();
  const container = document.createElement('div');
  let middle = { lng: 0, lat: 0 };
  markTarget({
    on: (name: string, listener: () => void) => listeners.set(name, listener),
    project: ([lon, lat]: [number, number]) => ({ x: lon - middle.lng, y: middle.lat - lat }),
    getCenter: () => middle,
    getCanvasContainer: () => container,
  } as unknown as MapLibreMap);
  const { style } = container.querySelector<HTMLElement>('[data-part="sought-place"]')!;
  return {
    style,
    fire: (name: string) => listeners.get(name)!(),
    moveTo(lng: number, lat: number) {
      middle = { lng, lat };
      listeners.get('move')!();
    },
  };
}

it('marks the sought place where it is, as long as one is sought', () => {
  const map = marked();
  expect(map.style.display).toBe('none');
  targetPlace.set({ lon: 24, lat: 37 });
  expect(map.style).toMatchObject({ display: '', transform: 'translate(24px, -37px)' });
  map.moveTo(20, 30);
  expect(map.style.transform).toBe('translate(4px, -7px)');
  targetPlace.set(null);
  expect(map.style.display).toBe('none');
});

it('marks it in the world that is shown, and not after the map is gone', () => {
  const map = marked();
  map.moveTo(179, 0);
  targetPlace.set({ lon: -179, lat: 0 });
  expect(map.style.transform).toBe('translate(2px, 0px)');
  map.fire('remove');
  targetPlace.set(null);
  expect(map.style.display).toBe('');
});
