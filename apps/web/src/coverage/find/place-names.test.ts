import { afterEach, expect, it, vi } from 'vitest';
import { placesNamed } from './place-names.ts';

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
  await expect(placesNamed('bergen', 5)).rejects.toThrow('503');
  asked.mockImplementation(async () => Response.json(list));
  const names = async (text: string) => (await placesNamed(text, 5)).map(({ name }) => name);

  expect(await names('sao p')).toEqual(['São Paulo']);
  expect(await names('BERGEN')).toEqual(['Bergen', 'Bergen op Zoom']);
  expect(await names('ale')).toEqual(['Ålesund']);
  expect(await names('lodz')).toEqual(['Łódź']);
  expect(await names('ording')).toEqual(['Sankt Peter-Ording']);
  expect(await names('tromso')).toEqual(['Tromsø']);
  expect(await names('xyz')).toEqual([]);
  expect(await placesNamed('bergen', 1)).toEqual([{ name: 'Bergen', country: 'NO', lon: 5.3242, lat: 60.393 }]);
  expect(asked).toHaveBeenCalledTimes(2);
});
