import { expect, it } from 'vitest';
import { boundsOf, featuresOf } from './map-parts.ts';

it('draws an area with a dot in its middle, a point as a dot, each with its place in the case', () => {
  const { features } = featuresOf([
    { _id: 'none', extent: null },
    { _id: 'area', extent: [24, 37, 25, 38] },
    { _id: 'point', extent: [24, 37, 24, 37] },
  ]);
  expect(features.map(({ geometry, properties }) => [geometry.type, properties.place, properties.id])).toEqual([
    ['Polygon', '2', 'area'],
    ['Point', '2', 'area'],
    ['Point', '3', 'point'],
  ]);
  expect(features[1]!.geometry.coordinates).toEqual([24.5, 37.5]);
});

it('crosses the antimeridian the short way, and stays with parts on its other side', () => {
  const across = { _id: 'a', extent: [179, -1, -179, 1] as [number, number, number, number] };
  expect(featuresOf([across]).features[1]!.geometry.coordinates).toEqual([180, 0]);
  const [southWest, northEast] = boundsOf([across, { _id: 'b', extent: [-178, 0, -178, 0] }])!;
  expect([southWest[0], northEast[0]].map(Math.round)).toEqual([179, 182]);
  expect(boundsOf([{ _id: 'c', extent: null }])).toBeNull();
});
