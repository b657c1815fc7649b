import { afterEach, expect, it, vi } from 'vitest';
import { inOrder, placesNamed } from './place-names.ts';

afterEach(() => vi.unstubAllGlobals());

it('finds places by the beginning of a word, the largest first, with or without diacritics', async () => {
  const list = {
    names: ['São Paulo', 'Bergen', 'Ålesund', 'Łódź', 'Bergen op Zoom', 'Sankt Peter-Ording', 'Tromsø'],
    countries: ['BR', 'NO', 'NO', 'PL', 'NL', 'DE', 'NO'],
    lons: [-46.6361, 5.3242, 6.1549, 19.4592, 4.2917, 8.6397, 18.9551],
    lats: [-23.5475, 60.393, 62.4722, 51.7592, 51.495, 54.3046, 69.6489],
  };
  const asked = vi.fn(async () => ({ ok: false, status: 503 }) as Response);
  vi.stubGlobal('fetch', asked);
  await expect(placesNamed('bergen')).rejects.toThrow('503');
  asked.mockImplementation(async () => Response.json(list));
  const names = async (text: string) => (await placesNamed(text)).map(({ name }) => name);

  expect(await names('sao p')).toEqual(['São Paulo']);
  expect(await names('BERGEN')).toEqual(['Bergen', 'Bergen op Zoom']);
  expect(await names('ale')).toEqual(['Ålesund']);
  expect(await names('lodz')).toEqual(['Łódź']);
  expect(await names('ording')).toEqual(['Sankt Peter-Ording']);
  expect(await names('tromso')).toEqual(['Tromsø']);
  expect(await names('xyz')).toEqual([]);
  expect((await placesNamed('bergen'))[0]).toEqual({ name: 'Bergen', country: 'NO', lon: 5.3242, lat: 60.393 });
  expect(asked).toHaveBeenCalledTimes(2);
});

it('puts exact names first, then beginnings, and of each the nearest', () => {
  const place = (name: string, lon: number) => ({ name, lon, lat: 40 });
  const places = [
    place('Kearney Park', -90),
    place('Kearney', -99),
    place('North Kearney', -94),
    place('Kearney', -94.4),
  ];
  const lons = (near: number | null) =>
    inOrder(places, 'kéarney', near === null ? null : { lon: near, lat: 40 }).map(({ lon }) => lon);

  expect(lons(null)).toEqual([-99, -94.4, -90, -94]);
  expect(lons(-90)).toEqual([-94.4, -99, -90, -94]);
  // Over the antimeridian.
  expect(lons(170)).toEqual([-99, -94.4, -90, -94]);
});
