// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import {
  readLayers,
  readMapProps,
  readMapSettings,
  readSiteLayers,
  writeLayers,
  writeMapProps,
  writeMapSettings,
  writeSiteLayers,
} from './map-storage.ts';

beforeEach(() => localStorage.clear());

it('starts where the specification says when nothing, or nonsense, was kept', () => {
  expect(readMapProps()).toMatchObject({
    center: [-122.45, 37.71],
    zoom: 12,
    mapCenterMode: 2,
    mapControlsMode: 0,
    aoiControlsMode: 'sensorArea',
  });
  expect(readLayers()).toMatchObject({ base: true, graticule: true, heatmap: false });
  expect(readMapSettings()).toEqual({ trailSeconds: 20 });

  localStorage.setItem('lastMapProps', '{"center":[999,0],"zoom":"x"}');
  localStorage.setItem('mapLayers', 'nonsense');
  localStorage.setItem('mapSettings', '{"trailSeconds":0}');

  expect(readMapProps().zoom).toBe(12);
  expect(readLayers().base).toBe(true);
  expect(readMapSettings()).toEqual({ trailSeconds: 20 });
});

it('keeps view, layers and settings under the names of the specification', () => {
  writeMapProps({ ...readMapProps(), center: [24, 37], zoom: 9, mapCenterMode: 0 });
  writeLayers({ ...readLayers(), graticule: false, heatmap: true });
  writeMapSettings({ trailSeconds: 60 });

  expect(readMapProps()).toMatchObject({ center: [24, 37], zoom: 9, mapCenterMode: 0 });
  expect(readMapSettings()).toEqual({ trailSeconds: 60 });
  expect(readLayers().graticule).toBe(false);
  // What was fetched for one mission is not asked for again for the next.
  expect(readLayers().heatmap).toBe(false);
});

it('keeps the tile sets that each user wants to see', () => {
  localStorage.setItem('mapSiteLayers', '{"mara":7}');
  expect(readSiteLayers('mara')).toEqual([]);

  writeSiteLayers('mara', ['0123456789abcdef']);
  writeSiteLayers('theo', []);

  expect([readSiteLayers('mara'), readSiteLayers('theo'), readSiteLayers('guest')]).toEqual([
    ['0123456789abcdef'],
    [],
    [],
  ]);
});
