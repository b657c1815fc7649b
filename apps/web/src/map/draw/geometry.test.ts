import type { AnnotationFeature, FeatureGeometry } from '@osprey/contract';
import { expect, it } from 'vitest';
import { storedFeature, unrolledGeometry } from './geometry.ts';

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const area = (...coordinates: number[][][]): FeatureGeometry => ({ type: 'Polygon', coordinates });
const stored = (geometry: FeatureGeometry) =>
  storedFeature({ type: 'Feature', properties: {}, geometry } satisfies AnnotationFeature).geometry;
const lonsOf = ({ coordinates }: FeatureGeometry): number[] =>
  (coordinates as number[][][]).flat().map(([lon = 0]) => lon);

it('sends an area of half a turn and more with positions between, and shows it as it was drawn', () => {
  for (const drawn of [box(-120, -40, 120, 40), box(-180, -90, 180, 90), box(100, -10, 340, 10)]) {
    const sent = stored(area(drawn));
    expect(lonsOf(sent).every((lon) => Math.abs(lon) <= 180)).toBe(true);
    const shown = lonsOf(unrolledGeometry(sent));
    expect([Math.min(...shown), Math.max(...shown)]).toEqual([drawn[0]![0], drawn[1]![0]]);
  }
});

it('sends the outline of an area across the antimeridian counter-clockwise, and shows its holes within it', () => {
  const clockwise = box(170, -10, 190, 10).toReversed();
  const sent = stored(area(clockwise, box(182, -5, 185, 5)));
  const [outline, hole] = (sent as { coordinates: number[][][] }).coordinates;
  expect(outline).toEqual([
    [170, -10],
    [-170, -10],
    [-170, 10],
    [170, 10],
    [170, -10],
  ]);
  expect(hole![0]).toEqual([-178, -5]);
  expect(lonsOf(unrolledGeometry(sent))).toEqual([170, 190, 190, 170, 170, 182, 185, 185, 182, 182]);
});
