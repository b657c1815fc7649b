// @vitest-environment jsdom

import type { Mission } from '@osprey/contract';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { countWithin, type ViewBounds } from './overlays/places.ts';
import { type MapGuest, PlacesMap } from './PlacesMap.tsx';

const drawn = vi.hoisted(() => ({
  onView: null as ((view: ViewBounds) => void) | null,
  /** In this order. */
  ended: [] as string[],
}));

// WebGL is not in jsdom: the test records what the map would show.
vi.mock('./overlays/places-drawing.ts', () => ({
  startPlaces: (_element: HTMLElement, _scheme: string, { onView }: { onView: (view: ViewBounds) => void }) => {
    drawn.onView = onView;
    return Promise.resolve({
      setPlaces: () => undefined,
      setScheme: () => undefined,
      lowest: 'group',
      end: () => drawn.ended.push('map'),
    });
  },
}));

afterEach(cleanup);

const AEGEAN: ViewBounds = { west: 22, east: 26, south: 36, north: 38 };

const mission = (name: string, place: [number, number] | null) =>
  ({ _id: name, name, place, platform: { presentation: { color: '#22ccdd' } } }) as unknown as Mission;

const shown = (missions: readonly Mission[]) => render(<PlacesMap missions={missions} onSelect={() => undefined} />);

it('counts the missions inside the view, and counts again when the map is moved', async () => {
  shown([mission('a', [24, 37]), mission('b', [25, 37]), mission('c', [-70, 40]), mission('d', null)]);
  await expect.poll(() => drawn.onView).not.toBeNull();

  act(() => drawn.onView?.(AEGEAN));
  expect(screen.getByRole('status').textContent).toBe('2 missions on this map');
  act(() => drawn.onView?.({ west: -80, east: -60, south: 30, north: 50 }));
  expect(screen.getByRole('status').textContent).toBe('1 mission on this map');
});

it('starts what is drawn next to the places when it comes, and ends it before the map', async () => {
  const guestOf = (id: string): MapGuest => ({
    id,
    start: async () => ({ setScheme: () => undefined, stop: () => drawn.ended.push(id) }),
  });
  const [one, other] = [guestOf('one'), guestOf('other')];
  const started = vi.spyOn(other, 'start');
  drawn.ended = [];
  const { rerender, unmount } = render(<PlacesMap missions={[]} onSelect={() => undefined} guests={[one]} />);
  rerender(<PlacesMap missions={[]} onSelect={() => undefined} guests={[one, other]} />);
  await expect.poll(() => started.mock.calls.length).toBe(1);
  // Below groups and their numbers.
  expect(started.mock.calls[0]![3]).toBe('group');
  rerender(<PlacesMap missions={[]} onSelect={() => undefined} guests={[other]} />);
  await expect.poll(() => drawn.ended).toEqual(['one']);
  unmount();
  await expect.poll(() => drawn.ended).toEqual(['one', 'other', 'map']);
});

it('says that none of the missions has a location only of missions that are there', () => {
  const { unmount } = shown([mission('d', null)]);
  expect(screen.getByRole('status').textContent).toBe('None of these missions has a location');
  unmount();

  shown([]);
  expect(screen.queryByText(/location/)).toBeNull();
});

it.each<[string, ViewBounds, number]>([
  ['around the Aegean', AEGEAN, 1],
  ['over the antimeridian', { west: 170, east: 190, south: -30, north: 0 }, 1],
  ['the same, counted from the west', { west: -190, east: -170, south: -30, north: 0 }, 1],
  ['of the whole world', { west: -200, east: 200, south: -85, north: 85 }, 2],
  ['far from all of them', { west: -80, east: -60, south: 30, north: 50 }, 0],
])('counts what is inside a view %s', (_name, view, count) => {
  expect(countWithin([{ place: [24, 37] }, { place: [-178, -18] }, { place: null }], view)).toBe(count);
});
