// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { viewParts } from '../onscreen/test-parts.ts';
import { addBase } from './base-map.ts';
import { createOverlayHost } from './overlay-host.ts';
import { landOverlay, namesOverlay } from './overlays/base-overlays.ts';
import { keepingMap } from './test-map.ts';

it('switches the land and the names each by itself; the sea is always there', async () => {
  const { map, visibleIds } = keepingMap();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const host = createOverlayHost({ map, svg, parts: viewParts(), scheme: 'dark', onError: () => undefined });
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

it('is the same, in the same order, on a map without overlays', () => {
  const { map, visibleIds } = keepingMap();

  addBase(map, 'dark');

  expect(visibleIds()).toEqual(['sea', 'halo', 'land', 'coast', 'borders', 'names']);
});
