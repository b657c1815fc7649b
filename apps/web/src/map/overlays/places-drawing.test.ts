// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { keepingMap } from '../../testing/map.ts';
import { provideSiteExtent } from '../site-extent.ts';
import { placesOf } from './places.ts';
import { startPlaces } from './places-drawing.ts';

const kept = keepingMap();
const fitBounds = vi.fn();
Object.assign(kept.map, { fitBounds });
vi.mock('../create-map.ts', () => ({ createBaseMap: () => kept.map }));

const settled = () => new Promise((resolve) => setTimeout(resolve));

it('opens on what the account may see once, and not again where a list without places is read again', async () => {
  const end = provideSiteExtent(async () => [23, 36, 25, 38]);
  const listeners = { onSelect: vi.fn(), onView: vi.fn() };
  const drawing = await startPlaces(document.createElement('div'), 'dark', listeners);

  drawing.setPlaces(placesOf([], 'dark'));
  await settled();
  expect(fitBounds).toHaveBeenCalledTimes(1);

  drawing.setPlaces(placesOf([], 'dark'));
  await settled();
  expect(fitBounds).toHaveBeenCalledTimes(1);
  end();
});
