import { expect, it } from 'vitest';
import { shapeLayers } from '../annotations/shape-layers.ts';
import { haloOf, MAP_FONT, TITLES_FROM } from './lettering.ts';
import { nameLayers } from './overlays/name-layers.ts';

const sources = import.meta.glob<string>(['../**/*.ts', '!../**/*.test.ts', '!./lettering.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('is one font and one halo for all layers', () => {
  const own = Object.entries(sources).filter(([, source]) => /'text-(?:font|halo-width)'/.test(source));
  expect(own.map(([path]) => path)).toEqual([]);
  const lettered = [...shapeLayers('a', 'dark'), ...nameLayers('dark', 'b')].filter(
    ({ layout = {} }) => 'text-field' in layout,
  );
  expect(lettered).toHaveLength(2);
  for (const layer of lettered) {
    expect(layer.layout).toMatchObject(MAP_FONT);
    expect(layer.paint).toMatchObject(haloOf('dark'));
  }
});

it('fades the titles of drawings out on charts of a continent', () => {
  const label = shapeLayers('a', 'dark').find(({ id }) => id === 'a-label')!;
  const [none, full] = TITLES_FROM;
  expect(label.minzoom).toBe(none);
  expect(label.paint).toMatchObject({ 'text-opacity': ['interpolate', ['linear'], ['zoom'], none, 0, full, 1] });
});
