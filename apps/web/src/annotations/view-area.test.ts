import { afterEach, expect, it } from 'vitest';
import { isChanged, isInView, type ViewArea, viewArea } from './view-area.ts';

afterEach(() => viewArea.set(null));

const kea: ViewArea = { west: 24.2, south: 37.5, east: 24.4, north: 37.7, zoom: 11 };
const moved = (by: number, area = kea): ViewArea => ({ ...area, west: area.west + by, east: area.east + by });

it('asks for nothing again until an edge of the map has moved by 0.005 degrees', () => {
  const reported: (string | undefined)[] = [];
  const stop = viewArea.subscribe(() => reported.push(viewArea.get()?.west.toFixed(4)));

  for (const by of [0, 0.002, 0.0049, 0.0051, 0.007]) viewArea.set(moved(by));
  viewArea.set(null);
  stop();

  expect(reported).toEqual(['24.2000', '24.2051', undefined]);
});

it('follows a near view by a twentieth of its size', () => {
  const near = { ...kea, south: 37.5, north: 37.502, east: 24.202 };

  expect(isChanged(near, moved(0.00005, near))).toBe(false);
  expect(isChanged(near, moved(0.0002, near))).toBe(true);
});

it('knows which places are in sight, across the antimeridian too', () => {
  const fiji: ViewArea = { west: 179, south: -20, east: -179, north: -15, zoom: 8 };

  expect(
    isInView(kea, [
      [24.3, 37.6],
      [24.3, 37.6],
    ]),
  ).toBe(true);
  expect(
    isInView(kea, [
      [20, 30],
      [30, 40],
    ]),
  ).toBe(true);
  expect(
    isInView(kea, [
      [24.5, 37.6],
      [24.6, 37.65],
    ]),
  ).toBe(false);
  expect(
    isInView(kea, [
      [24.3, 37.8],
      [24.35, 37.9],
    ]),
  ).toBe(false);
  expect(
    isInView(fiji, [
      [-179.5, -17],
      [-179.4, -16],
    ]),
  ).toBe(true);
  expect(
    isInView(fiji, [
      [178, -17],
      [181, -16],
    ]),
  ).toBe(true);
  expect(
    isInView(fiji, [
      [170, -17],
      [178, -16],
    ]),
  ).toBe(false);
});
