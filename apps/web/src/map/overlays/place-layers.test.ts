import type { DocumentGeometry } from '@osprey/contract';
import { expect, it } from 'vitest';
import { placeBounds, placeLayers } from './place-layers.ts';

const places: [DocumentGeometry, string[], unknown][] = [
  [{ type: 'Point', coordinates: [11.885, 43.467, 120] }, ['place-point'], [11.835, 43.417, 11.935, 43.517]],
  [
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, -4],
      ],
    },
    ['place-line'],
    [0.95, -4.05, 3.05, 2.05],
  ],
  [
    {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [0, 0],
            [2, 0],
            [2, 1],
            [0, 0],
          ],
        ],
        [
          [
            [5, 5],
            [6, 5],
            [6, 6],
            [5, 5],
          ],
        ],
      ],
    },
    ['place-fill', 'place-line'],
    [-0.05, -0.05, 6.05, 6.05],
  ],
];

it.each(places)('draws %j as what it is, and shows all of it', (geometry, ids, bounds) => {
  const kind = geometry.type.replace('Multi', '');
  const drawn = placeLayers('#000000').filter(({ of }) => of.includes(kind));

  expect(drawn.map(({ id }) => id)).toEqual(ids);
  const corners = (placeBounds(geometry) as [number, number][]).flat();
  expect(corners.map((one) => Math.round(one * 1000) / 1000)).toEqual(bounds);
});
