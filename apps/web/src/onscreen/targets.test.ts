import type { Footprint } from '@osprey/geo';
import { expect, it } from 'vitest';
import { inPicture, pictureRect } from '../player/picture/picture.ts';
import { frameSizeOf, targetsOf } from './targets.ts';

/** One degree square, north up: x runs with longitude, y against latitude. */
const footprint: Footprint = {
  corners: [
    { lon: 24, lat: 38 },
    { lon: 24.01, lat: 38 },
    { lon: 24.01, lat: 37.99 },
    { lon: 24, lat: 37.99 },
  ],
  centre: { lon: 24.005, lat: 37.995 },
  source: 'corners',
};

const pixel = (row: number, column: number, width: number) => row * width + column + 1;

it('places boxes by pixel numbers, row by row from the upper left', () => {
  const vmti = { '101': [{ id: 7, '2': pixel(25, 20, 100), '3': pixel(49, 59, 100), '5': 80, '8': 0xff8000 }] };

  const [target] = targetsOf(vmti, { width: 100, height: 50, footprint: null });

  expect(target).toMatchObject({ id: 7, colour: '#ff8000', confidence: 80, place: null });
  expect(target?.box).toEqual({ left: 0.2, top: 0.5, right: 0.6, bottom: 1 });
});

it('places boxes by their corners on the ground where no pixels are given', () => {
  const vmti = { '101': [{ id: 1, '13': 0.005, '14': -0.005, '15': 0, '16': 0 }] };

  const [target] = targetsOf(vmti, { width: 100, height: 50, footprint });

  expect(target?.box?.left).toBeCloseTo(0, 3);
  expect(target?.box?.top).toBeCloseTo(0, 3);
  expect(target?.box?.right).toBeCloseTo(0.5, 3);
  expect(target?.box?.bottom).toBeCloseTo(0.5, 3);
});

it('draws a small box around a target that only has a centre, or only a place', () => {
  const centred = targetsOf(
    { '101': [{ id: 1, '1': pixel(25, 50, 100) }] },
    { width: 100, height: 50, footprint: null },
  );
  const placed = targetsOf(
    { '101': [{ id: 2, '17': { latitude: 37.995, longitude: 24.005, height: 0 } }] },
    { width: 100, height: 50, footprint },
  );

  const middle = ({ left, right }: { left: number; right: number }) => (left + right) / 2;
  expect(middle(centred[0]!.box!)).toBeCloseTo(0.505, 5);
  expect(middle(placed[0]!.box!)).toBeCloseTo(0.5, 3);
  expect(placed[0]!.place).toEqual({ lat: 37.995, lon: 24.005 });
});

it('keeps the place of a target where the picture shows no known ground', () => {
  const vmti = { '101': [{ id: 2, '17': { latitude: 37.995, longitude: 24.005, height: 0 } }] };

  expect(targetsOf(vmti, { width: 100, height: 50, footprint: null })).toEqual([
    { id: 2, box: null, colour: null, confidence: null, place: { lat: 37.995, lon: 24.005 }, path: [] },
  ]);
});

it('leaves out what cannot be placed, and anything that is no target', () => {
  const odd = { '101': [{ id: 1 }, 'x', null, { '2': 1, '3': 2 }, { id: 3, '2': 10 ** 9, '3': 10 ** 9 }] };

  expect(targetsOf(odd, { width: 100, height: 50, footprint: null })).toEqual([]);
  expect(targetsOf(null, { width: 100, height: 50, footprint: null })).toEqual([]);
  expect(targetsOf({ '101': 'x' }, { width: 0, height: 0, footprint: null })).toEqual([]);
});

it('reads the size of the picture and the path of a track', () => {
  const history = [
    { latitude: 37.99, longitude: 24 },
    { latitude: 37.991, longitude: 24.001 },
  ];
  const vmti = { '8': 640, '9': 480, '101': [{ id: 1, '1': 1, '104': { '9': history } }] };

  expect(frameSizeOf(vmti)).toEqual({ width: 640, height: 480 });
  expect(frameSizeOf('x')).toEqual({ width: null, height: null });
  expect(targetsOf(vmti, { width: 640, height: 480, footprint: null })[0]?.path).toEqual([
    { lat: 37.99, lon: 24 },
    { lat: 37.991, lon: 24.001 },
  ]);
});

it('knows the place of a fitted picture in its element', () => {
  const rect = pictureRect({ width: 1000, height: 500 }, { width: 640, height: 480 });

  expect(rect.height).toBeCloseTo(500, 6);
  expect(rect.left).toBeCloseTo((1000 - 500 * (640 / 480)) / 2, 6);
  expect(inPicture(rect, 500, 250)).toEqual({ x: 0.5, y: 0.5 });
  expect(inPicture(rect, 10, 250)).toBeNull();
});
