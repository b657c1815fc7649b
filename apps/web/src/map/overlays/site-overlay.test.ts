// @vitest-environment jsdom
import type { MapLayer } from '@osprey/contract';
import { expect, it } from 'vitest';
import { chartColours } from '../../base/colours.ts';
import { keepingMap } from '../../testing/map.ts';
import { viewServices } from '../../testing/view-services.ts';
import { siteChoices } from '../map-storage.ts';
import { createOverlayHost } from '../overlay-host.ts';
import { recordingOverlay } from './recording-overlay.ts';
import { siteOverlay } from './site-overlay.ts';

const chart: MapLayer = {
  ...{ _id: 'c0ffee', title: 'Chart', attribution: 'Survey of Kea', kind: 'vector', tileLayer: '/t/{z}/{x}/{y}' },
  ...{ minZoom: 0, maxZoom: 5, bounds: null, vectorLayers: ['depth'] },
};

it('draws a tile set below what is drawn of the mission, in the colours of the theme, and only while it is shown', async () => {
  localStorage.setItem('mapSiteLayers', '{"mara":["c0ffee"]}');
  const { map, layerIds, paintOf, state } = keepingMap();
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const host = createOverlayHost({ map, svg, services: viewServices(), scheme: 'light', onError: () => undefined });
  const path = recordingOverlay('path', { colour: '#22c7e6', read: () => Promise.reject(new Error('not asked for')) });
  host.setOverlays([path]);
  host.setOverlays([siteOverlay(chart, siteChoices('mara')), path]);
  await new Promise((resolve) => setTimeout(resolve));
  const ofChart = ['fill', 'line', 'point'].map((part) => `site-c0ffee-depth-${part}`);

  expect(layerIds()).toEqual([...ofChart, 'path']);
  expect(paintOf('site-c0ffee-depth-line')['line-color']).toBe(chartColours.light.coast);
  host.setScheme('dark');
  expect(paintOf('site-c0ffee-depth-line')['line-color']).toBe(chartColours.dark.coast);
  expect(layerIds()).toEqual([...ofChart, 'path']);
  host.toggle('c0ffee');

  expect(layerIds()).toEqual(['path']);
  expect(state().sources).toEqual(['path']);
  expect(localStorage.getItem('mapSiteLayers')).toBe('{"mara":[]}');
});
