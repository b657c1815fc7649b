import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM } from './great-circle.ts';
import type { Position } from './point.ts';
import { simplifyLine } from './simplify.ts';

describe('simplifyLine', () => {
  it('drops points on a straight line and keeps corners', () => {
    const line: Position[] = [
      [0, 0],
      [0.5, 0],
      [1, 0],
      [1, 0.5],
      [1, 1],
    ];

    expect(simplifyLine(line, 1)).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
  });

  it('keeps the turn of a line that returns to its start', () => {
    expect(
      simplifyLine(
        [
          [0, 0],
          [0.1, 0],
          [0.2, 0],
          [0, 0],
        ],
        10,
      ),
    ).toEqual([
      [0, 0],
      [0.2, 0],
      [0, 0],
    ]);
  });

  it('crosses the antimeridian the short way', () => {
    expect(
      simplifyLine(
        [
          [179.9, 0],
          [-180, 0],
          [-179.9, 0],
        ],
        1,
      ),
    ).toEqual([
      [179.9, 0],
      [-179.9, 0],
    ]);
  });

  it('keeps points where a side of half a turn would go the other way round', () => {
    const parallel = Array.from({ length: 49 }, (_, at): Position => [at * 5 - 120, 40]);
    const lons = simplifyLine([...parallel, [120, -40], [0, -40], [-120, -40], [-120, 40]], 1e5).map(([lon]) => lon);
    expect(lons).toEqual([-120, -30, 60, 120, 120, 0, -120, -120]);
  });

  it('leaves every point within the tolerance of what remains', () => {
    const steps = fc.array(
      fc.tuple(fc.double({ min: -0.01, max: 0.01, noNaN: true }), fc.double({ min: -0.01, max: 0.01, noNaN: true })),
      { minLength: 3, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.double({ min: 1, max: 2000, noNaN: true }), (moves, toleranceM) => {
        let at: Position = [24, 37];
        const line = moves.map(([lon, lat]): Position => (at = [at[0] + lon, at[1] + lat]));

        const simple = simplifyLine(line, toleranceM);

        for (const [lon, lat] of line) expect(nearest(simple, lon, lat)).toBeLessThan(toleranceM * 1.02 + 4);
        expect([simple[0], simple.at(-1)]).toEqual([line[0], line.at(-1)]);
      }),
    );
  });

  it('takes a spiral of 100,000 points', () => {
    const spiral = Array.from({ length: 100_000 }, (_, index): Position => {
      const angle = index / 200;
      return [24 + (index / 1e6) * Math.cos(angle), 37 + (index / 1e6) * Math.sin(angle)];
    });

    expect(simplifyLine(spiral, 100).length).toBeLessThan(20_000);
  });
});

/** Distance in metres from a point to a line, by trying many places on each piece. */
function nearest(line: readonly Position[], lon: number, lat: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index + 1 < line.length; index += 1) {
    const [a, b] = [line[index]!, line[index + 1]!];
    for (let step = 0; step <= 400; step += 1) {
      const share = step / 400;
      const on = { lon: a[0] + share * (b[0] - a[0]), lat: a[1] + share * (b[1] - a[1]) };
      least = Math.min(least, distanceM(on, { lon, lat }));
    }
  }
  return least;
}
