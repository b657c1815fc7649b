import { afterEach, expect, it } from 'vitest';
import { isChanged, type ViewArea, viewArea } from './view-area.ts';

afterEach(() => viewArea.set(null));

const kea: ViewArea = { west: 24.2, south: 37.5, east: 24.4, north: 37.7, zoom: 11 };
const moved = (by: number, area = kea): ViewArea => ({ ...area, west: area.west + by, east: area.east + by });

it('asks for nothing again until an edge of the map has moved by 0.005 degrees', () => {
  const told: (string | undefined)[] = [];
  const stop = viewArea.subscribe(() => told.push(viewArea.get()?.west.toFixed(4)));

  for (const by of [0, 0.002, 0.0049, 0.0051, 0.007]) viewArea.set(moved(by));
  viewArea.set(null);
  stop();

  expect(told).toEqual(['24.2000', '24.2051', undefined]);
});

it('follows a near view by a twentieth of its size', () => {
  const near = { ...kea, south: 37.5, north: 37.502, east: 24.202 };

  expect(isChanged(near, moved(0.00005, near))).toBe(false);
  expect(isChanged(near, moved(0.0002, near))).toBe(true);
});
