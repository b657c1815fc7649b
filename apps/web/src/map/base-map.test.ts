// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { chartColours } from '../base/colours.ts';
import { keepingMap } from '../testing/map.ts';
import { viewServices } from '../testing/view-services.ts';
import { addBase } from './base-map.ts';
import { createOverlayHost } from './overlay-host.ts';
import { landOverlay, namesOverlay } from './overlays/base-overlays.ts';

it('switches the land and the names each by itself; the sea is always there', async () => {
  const { map, visibleIds } = keepingMap();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const host = createOverlayHost({ map, svg, services: viewServices(), scheme: 'dark', onError: () => undefined });
  host.setOverlays([landOverlay, namesOverlay]);
  await new Promise((resolve) => setTimeout(resolve));
  const everything = ['sea', 'halo', 'land', 'coast', 'borders', 'names'];
  expect(visibleIds()).toEqual(everything);

  host.toggle('base');
  expect(visibleIds()).toEqual(['sea', 'borders', 'names']);
  host.toggle('names');
  expect(visibleIds()).toEqual(['sea']);
  host.toggle('base');
  expect(visibleIds()).toEqual(['sea', 'halo', 'land', 'coast']);
  host.toggle('names');

  expect(visibleIds()).toEqual(everything);
});

it('draws the finer coast of the server above the coarse one, switched with it, and leaves nothing behind', async () => {
  const base = { tiles: '/base-map/fine/{z}/{x}/{y}?v=1', minZoom: 6, maxZoom: 10, attribution: 'GSHHG' };
  vi.stubGlobal('fetch', async () => Response.json(base));
  const { map, visibleIds, state, paintOf } = keepingMap();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const host = createOverlayHost({ map, svg, services: viewServices(), scheme: 'light', onError: () => undefined });
  host.setOverlays([landOverlay, namesOverlay]);
  await vi.waitFor(() => expect(visibleIds()).toContain('rivers-fine'));

  const land = ['halo', 'land', 'coast', 'halo-fine', 'land-fine', 'coast-fine', 'rivers-fine'];
  expect(visibleIds()).toEqual(['sea', ...land, 'borders', 'names']);
  expect(paintOf('coast-fine')['line-color']).toBe(chartColours.light.coast);
  host.setScheme('dark');
  expect(paintOf('coast-fine')['line-color']).toBe(chartColours.dark.coast);
  host.toggle('base');
  expect(visibleIds()).toEqual(['sea', 'borders', 'names']);
  host.toggle('base');
  host.setOverlays([]);
  expect(state()).toMatchObject({ layers: ['sea'], sources: ['base-map'] });
  vi.unstubAllGlobals();
});

it('is the same, in the same order, on a map without overlays', () => {
  const { map, visibleIds } = keepingMap();

  addBase(map, 'dark');

  expect(visibleIds()).toEqual(['sea', 'halo', 'land', 'coast', 'borders', 'names']);
});
