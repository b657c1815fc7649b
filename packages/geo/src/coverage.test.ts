import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { polygonAreaSqKm } from './area.ts';
import { createCoverage } from './coverage.ts';
import type { MultiPolygon } from './coverage-outline.ts';
import type { Corners } from './footprint.ts';
import { destination } from './great-circle.ts';
import { type Point, ringOf } from './point.ts';

/** A square of `metres` side around a point, turned by `bearing`. */
function square(centre: Point, metres: number, bearing = 0): { corners: Corners } {
  const at = (turn: number) => destination(centre, bearing + turn, metres * Math.SQRT1_2);
  return { corners: [at(-45), at(45), at(135), at(-135)] };
}

/** Area of the outline itself: outer rings less holes. */
function outlineArea({ coordinates }: MultiPolygon): number {
  const areas = coordinates.map(([outer, ...holes]) =>
    holes.reduce((rest, hole) => rest - polygonAreaSqKm(hole), polygonAreaSqKm(outer!)),
  );
  return areas.reduce((sum, area) => sum + area, 0);
}

const kea = { lon: 24.3, lat: 37.6 };

describe('createCoverage', () => {
  it('is empty before the first footprint', () => {
    expect(createCoverage().area()).toEqual({ areaSqKm: 0, geometry: { type: 'MultiPolygon', coordinates: [] } });
  });

  it('gives the area of one footprint and an outline of few points', () => {
    const coverage = createCoverage();
    const footprint = square(kea, 1000, 20);

    coverage.add(footprint, 0);

    const { areaSqKm, geometry } = coverage.area();
    expect(areaSqKm / polygonAreaSqKm(ringOf(footprint.corners))).toBeCloseTo(1, 2);
    expect(outlineArea(geometry) / areaSqKm).toBeCloseTo(1, 2);
    expect(geometry.coordinates).toHaveLength(1);
    expect(geometry.coordinates[0]![0]!.length).toBeLessThan(16);
  });

  it('counts ground once however often it is seen', () => {
    const coverage = createCoverage();
    for (let second = 0; second < 100; second += 1) coverage.add(square(kea, 1000, second * 90), second);

    expect(coverage.area().areaSqKm).toBeCloseTo(1, 1);
  });

  it('joins overlapping footprints and keeps distant ones apart', () => {
    const coverage = createCoverage();
    coverage.add(square(kea, 1000), 0);
    coverage.add(square(destination(kea, 90, 500), 1000), 1);
    coverage.add(square(destination(kea, 0, 9000), 1000), 2);

    const { areaSqKm, geometry } = coverage.area();

    expect(areaSqKm / 2.5).toBeCloseTo(1, 2);
    expect(geometry.coordinates).toHaveLength(2);
  });

  it('leaves a hole where no footprint was', () => {
    const coverage = createCoverage();
    for (let bearing = 0; bearing < 360; bearing += 10) {
      coverage.add(square(destination(kea, bearing, 5000), 2000), bearing);
    }

    const { areaSqKm, geometry } = coverage.area();

    expect(geometry.coordinates).toHaveLength(1);
    expect(geometry.coordinates[0]).toHaveLength(2);
    expect(outlineArea(geometry) / areaSqKm).toBeCloseTo(1, 2);
  });

  it('splits ground across the antimeridian, and holds a pole', () => {
    const border = createCoverage();
    border.add(square({ lon: 180, lat: 10 }, 2000), 0);
    const pole = createCoverage();
    pole.add(square({ lon: 0, lat: 90 }, 2000), 0);

    expect(border.area().geometry.coordinates).toHaveLength(2);
    expect(border.area().areaSqKm / 4).toBeCloseTo(1, 1);
    expect(pole.area().areaSqKm / 4).toBeCloseTo(1, 1);
  });

  it('looks at so many footprints of each second and passes over the rest', () => {
    const coverage = createCoverage({ perSecond: 1 });
    coverage.add(square(kea, 1000), 7.1);
    coverage.add(square(destination(kea, 90, 5000), 1000), 7.9);

    expect(coverage.area().areaSqKm / 1).toBeCloseTo(1, 1);
  });

  it('stays within its memory on a wild camera, and near the true area', () => {
    const few = createCoverage({ maxStretches: 2000, perSecond: 1 });
    const many = createCoverage({ maxStretches: 300_000, perSecond: 1 });
    for (let second = 0; second < 3000; second += 1) {
      const place = destination(kea, second * 137.5, 20 * second);
      few.add(square(place, 700, second), second);
      many.add(square(place, 700, second), second);
    }

    expect(few.area().areaSqKm / many.area().areaSqKm).toBeCloseTo(1, 1);
    expect(few.area().geometry.coordinates.flat(2).length).toBeLessThan(8000);
  });

  it('never covers less than the largest footprint, nor more than all together', () => {
    const squares = fc.array(
      fc.record({
        bearing: fc.double({ min: 0, max: 360, noNaN: true }),
        metres: fc.double({ min: 0, max: 3000, noNaN: true }),
        side: fc.double({ min: 50, max: 2000, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(squares, (cases) => {
        const coverage = createCoverage();
        const areas = cases.map(({ bearing, metres, side }, second) => {
          const footprint = square(destination(kea, bearing, metres), side, bearing);
          coverage.add(footprint, second);
          return polygonAreaSqKm(ringOf(footprint.corners));
        });

        const { areaSqKm, geometry } = coverage.area();

        const sum = areas.reduce((total, area) => total + area, 0);
        expect(areaSqKm).toBeGreaterThan(Math.max(...areas) * 0.95);
        expect(areaSqKm).toBeLessThan(sum * 1.15);
        expect(Math.abs(outlineArea(geometry) - areaSqKm)).toBeLessThan(areaSqKm * 0.06);
      }),
    );
  });
});
