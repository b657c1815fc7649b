// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import {
  layerChoices,
  middleOfMap,
  noChoices,
  readMapProps,
  readSetting,
  siteChoices,
  writeMapProps,
  writeSetting,
} from './map-storage.ts';
import { frameLines } from './overlays/frame-switches.ts';

const [trail] = frameLines.settings;

beforeEach(() => localStorage.clear());

it('starts where the specification says when nothing, or nonsense, was kept', () => {
  expect(readMapProps()).toMatchObject({
    center: [-122.45, 37.71],
    zoom: 12,
    mapCenterMode: 2,
    mapControlsMode: 0,
    aoiControlsMode: 'sensorArea',
  });
  expect(layerChoices.read('base')).toBeUndefined();
  expect(readSetting(trail!)).toBe(20);

  localStorage.setItem('lastMapProps', '{"center":[999,0],"zoom":"x"}');
  localStorage.setItem('mapLayers', 'nonsense');
  localStorage.setItem('mapSettings', '{"trailSeconds":0}');

  expect(readMapProps().zoom).toBe(12);
  expect(layerChoices.read('base')).toBeUndefined();
  expect(readSetting(trail!)).toBe(20);
});

it('knows by a flag whether a map was moved, not by the place where it is', () => {
  expect(middleOfMap()).toBeNull();
  // A choice of what the map follows is no move.
  writeMapProps({ ...readMapProps(), mapCenterMode: 1 });
  expect(middleOfMap()).toBeNull();

  writeMapProps({ ...readMapProps(), moved: true });
  expect(middleOfMap()).toEqual({ lon: -122.45, lat: 37.71 });
});

it('keeps view, layers and settings under the names of the specification', () => {
  writeMapProps({ ...readMapProps(), center: [24, 37], zoom: 9, mapCenterMode: 0 });
  layerChoices.write('graticule', false);
  noChoices.write('heatmap', true);
  writeSetting('trailSeconds', 60);

  expect(readMapProps()).toMatchObject({ center: [24, 37], zoom: 9, mapCenterMode: 0 });
  expect(readSetting(trail!)).toBe(60);
  expect(layerChoices.read('graticule')).toBe(false);
  // Data that were fetched for one mission are not asked for again for the next.
  expect(noChoices.read('heatmap')).toBeUndefined();
});

it('keeps the tile sets that each user wants to see', () => {
  localStorage.setItem('mapSiteLayers', '{"mara":7}');
  const [mara, theo] = [siteChoices('mara'), siteChoices('theo')];
  expect(mara.read('0123456789abcdef')).toBe(false);

  mara.write('0123456789abcdef', true);
  mara.write('fedcba9876543210', true);
  mara.write('fedcba9876543210', false);

  expect([mara, theo].map(({ read }) => read('0123456789abcdef'))).toEqual([true, false]);
  expect(mara.read('fedcba9876543210')).toBe(false);
  expect(localStorage.getItem('mapSiteLayers')).toBe('{"mara":["0123456789abcdef"]}');
});

it('reads a storage of the version before overlays had ids', () => {
  const view = { center: [24, 37], zoom: 9, mapCenterMode: 0, mapControlsMode: 0, aoiControlsMode: 'sensorArea' };
  localStorage.setItem('lastMapProps', JSON.stringify(view));
  const layers = { base: false, names: true, graticule: false, trail: true, footprint: false, sight: true };
  localStorage.setItem(
    'mapLayers',
    JSON.stringify({ ...layers, targets: true, area: true, path: false, heatmap: false }),
  );
  localStorage.setItem('mapSettings', '{"trailSeconds":300}');
  localStorage.setItem('mapSiteLayers', '{"mara":["0123456789abcdef"],"guest":[]}');

  expect(readMapProps()).toEqual({ ...view, moved: true });
  for (const [id, shown] of Object.entries(layers)) expect(layerChoices.read(id), id).toBe(shown);
  expect(readSetting(trail!)).toBe(300);
  expect(siteChoices('mara').read('0123456789abcdef')).toBe(true);
  layerChoices.write('graticule', true);

  expect(JSON.parse(localStorage.getItem('mapLayers')!)).toMatchObject({ ...layers, graticule: true });
});
