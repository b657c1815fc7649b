// @vitest-environment jsdom
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { expect, it } from 'vitest';
import { addBase, baseStyle, showBase } from './base-map.ts';

/** The layers of a map with its base, and which of them are drawn. */
function baseMap() {
  const { layers: first } = baseStyle('dark');
  const shown = new Map(first.map(({ id }) => [id, true]));
  const map = {
    addSource: () => undefined,
    addLayer: ({ id }: LayerSpecification) => shown.set(id, true),
    setLayoutProperty(id: string, _name: 'visibility', value: 'visible' | 'none') {
      if (!shown.has(id)) throw new Error(`There is no layer ${id}`);
      shown.set(id, value === 'visible');
    },
  } as unknown as MapLibreMap;
  addBase(map, 'dark');
  return { map, drawn: () => [...shown].flatMap(([id, isDrawn]) => (isDrawn ? id : [])).sort() };
}

it('switches the land and the names each by itself; the sea is always there', () => {
  const { map, drawn } = baseMap();
  const everything = ['borders', 'coast', 'halo', 'land', 'names', 'sea'];
  expect(drawn()).toEqual(everything);

  showBase(map, { base: false, names: true });
  expect(drawn()).toEqual(['borders', 'names', 'sea']);
  showBase(map, { base: true, names: false });
  expect(drawn()).toEqual(['coast', 'halo', 'land', 'sea']);
  showBase(map, { base: false, names: false });
  expect(drawn()).toEqual(['sea']);
  showBase(map, { base: true, names: true });

  expect(drawn()).toEqual(everything);
});
