import type { TargetShape } from '@osprey/contract';
import { expect, it } from 'vitest';
import { featuresOf, positionsOf, viewOf } from './find-shapes.ts';

const positions = (shape: TargetShape) =>
  featuresOf({ shape, features: [] }).flatMap((one) => positionsOf(one.geometry));
const lonsOf = (shape: TargetShape) => positions(shape).map(([lon]) => lon);

it('draws the sought area as the server reads it: slanted sides in degrees, and as wide as it was given', () => {
  const triangle = positions({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [60, 0],
        [60, 60],
        [0, 0],
      ],
    ],
  });
  expect(triangle.length).toBeGreaterThan(100);
  for (const [lon, lat] of triangle) expect(lat === 0 || lon === 60 || Math.abs(lon - lat) < 1e-9).toBe(true);
  const wide = lonsOf({
    type: 'Polygon',
    coordinates: [
      [
        [-120, -40],
        [120, -40],
        [120, 40],
        [-120, 40],
        [-120, -40],
      ],
    ],
  });
  expect([Math.min(...wide), Math.max(...wide)]).toEqual([-120, 120]);
});

it('draws a corridor and an annotation across the antimeridian without a jump', () => {
  const line = lonsOf({
    type: 'Corridor',
    line: [
      [170, 10],
      [-170, 40],
    ],
    widthM: 100,
  });
  expect([Math.min(...line), Math.max(...line)]).toEqual([170, 190]);
  const [drawn] = featuresOf({
    shape: { type: 'Annotation', id: '00000000-0000-4000-8000-000000000001' },
    features: [
      {
        type: 'Polygon',
        coordinates: [
          [
            [170, 0],
            [-170, 0],
            [-170, 10],
            [170, 0],
          ],
        ],
      },
    ],
  });
  const lons = positionsOf(drawn!.geometry).map(([lon]) => lon);
  expect([Math.min(...lons), Math.max(...lons)]).toEqual([170, 190]);
});

it('shows a frame centre without a width as a point, and a square as an area', () => {
  const at: [number, number] = [9, 46];
  expect(viewOf({ corners: [at, at, at, at], approximate: true }, true)).toEqual({
    type: 'Feature',
    properties: { chosen: true, approximate: true },
    geometry: { type: 'Point', coordinates: at },
  });
  const corners: [number, number][] = [
    [9, 46],
    [9.1, 46],
    [9.1, 45.9],
    [9, 45.9],
  ];
  expect(viewOf({ corners }, false)).toMatchObject({ properties: { chosen: false }, geometry: { type: 'Polygon' } });
});
