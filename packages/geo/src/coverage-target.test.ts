import { describe, expect, it } from 'vitest';
import { cellsOf, entriesOf, probesOf } from './coverage-cells.ts';
import { meets, shapeOf } from './coverage-meets.ts';
import { circlePart, corridorParts, type Target, targetOf } from './coverage-target.ts';
import { UNITS } from './coverage-units.ts';
import { destination, distanceM } from './great-circle.ts';
import { type Position, toPosition } from './point.ts';

/** Mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A ring with corners at these distances from a place, evenly around it. */
const star = ([lon, lat]: Position, metres: readonly number[]): Position[] =>
  metres.map((far, at) => toPosition(destination({ lon, lat }, (at * 360) / metres.length, far)));
const square = (place: Position, metres: number, turn = 0): Position[] =>
  [45, 135, 225, 315].map((bearing) =>
    toPosition(destination({ lon: place[0], lat: place[1] }, bearing + turn, metres)),
  );

/** Whether packed footprints are compared as shapes are. */
function agrees(target: Target, view: readonly Position[]): boolean {
  const units = Float64Array.from(view.flat(), (value) => Math.round(value * UNITS));
  const retained = Array.from({ length: 4 }, (_, at): Position => [units[2 * at]! / UNITS, units[2 * at + 1]! / UNITS]);
  return target.unitsTest()(units, 0) === target.intersects(shapeOf(retained));
}

describe('what is looked for', () => {
  it('is met as two rings are compared with each other, and then always shares an entry of the index', () => {
    const random = numbers(11);
    let [intersecting, missed] = [0, 0];
    for (let round = 0; round < 3000; round += 1) {
      const place: Position = [random() * 360 - 180, Math.asin(random() * 2 - 1) * (180 / Math.PI)];
      const size = 10 ** (1.5 + random() * 4);
      const corners = 3 + Math.floor(random() * 60);
      const ring = star(
        place,
        Array.from({ length: corners }, () => size * (0.3 + random())),
      );
      const from = toPosition(destination({ lon: place[0], lat: place[1] }, random() * 360, random() * 2 * size));
      const view = square(from, size * 10 ** (random() * 2 - 1.5), random() * 90);
      const target = targetOf([{ kind: 'area', rings: [ring] }]);
      const isIntersecting = meets(shapeOf(view), shapeOf(ring));
      expect(target.intersects(shapeOf(view)), JSON.stringify({ ring, view })).toBe(isIntersecting);
      if (round % 4 === 0) expect(agrees(target, view), JSON.stringify({ ring, view })).toBe(true);
      if (isIntersecting) {
        intersecting += 1;
        const entries = new Set(entriesOf(cellsOf(view)));
        expect(probesOf(target.cells).some((probe) => entries.has(probe))).toBe(true);
      } else missed += 1;
    }
    expect(intersecting).toBeGreaterThan(500);
    expect(missed).toBeGreaterThan(500);
  });

  it('is not met by a view within a hole, and is met by one over its border', () => {
    const place: Position = [10, 54];
    const target = targetOf([{ kind: 'area', rings: [square(place, 10_000), square(place, 3000)] }]);
    for (const far of [500, 3100, 50_000]) expect(agrees(target, square(place, far))).toBe(true);
    expect(target.intersects(shapeOf(square(place, 500)))).toBe(false);
    expect(target.intersects(shapeOf(square(place, 3100)))).toBe(true);
    expect(target.intersects(shapeOf(square(place, 50_000)))).toBe(true);
    expect(target.intersects(shapeOf(square(toPosition(destination({ lon: 10, lat: 54 }, 0, 5000)), 100)))).toBe(true);
  });

  it('may be a point, a line or many of them, also across the antimeridian', () => {
    const line: Position[] = [
      [179.9, -17],
      [-179.9, -17],
      [-179.8, -16.9],
    ];
    const target = targetOf([
      { kind: 'line', positions: line },
      { kind: 'line', positions: [[20, 40]] },
    ]);
    expect(target.intersects(shapeOf(square([180, -17], 200)))).toBe(true);
    expect(target.intersects(shapeOf(square([0, -17], 200)))).toBe(false);
    expect(target.intersects(shapeOf(square([20, 40], 200)))).toBe(true);
    expect(() => targetOf([])).toThrow(RangeError);
  });

  it('takes a thousand parts as a few cells, and none of what they are met by is lost', () => {
    const random = numbers(5);
    const places = Array.from({ length: 1000 }, (): Position => [20 + random() * 4, 50 + random() * 3]);
    const target = targetOf(places.map((place) => ({ kind: 'area', rings: [square(place, 50)] })));
    expect(target.cells.length).toBeLessThanOrEqual(256);
    const probes = new Set(probesOf(target.cells));
    for (const place of places) expect(entriesOf(cellsOf(square(place, 80))).some((one) => probes.has(one))).toBe(true);
  });
});

describe('circles and corridors', () => {
  it('hold everything within their radius and half their width, and nothing a percent farther out', () => {
    const random = numbers(2);
    const centre: Position = [5.3, 60.4];
    const circle = targetOf([circlePart({ lon: 5.3, lat: 60.4 }, 2000)]);
    const line: Position[] = [centre, [5.5, 60.5], [5.9, 60.45]];
    const corridor = targetOf(corridorParts(line, 1000));
    const pixel = (at: Position) => shapeOf(square(at, 0.5));
    for (let round = 0; round < 500; round += 1) {
      const bearing = random() * 360;
      const at = (metres: number) => toPosition(destination({ lon: 5.3, lat: 60.4 }, bearing, metres));
      expect(circle.intersects(pixel(at(1998)))).toBe(true);
      expect(circle.intersects(pixel(at(2010)))).toBe(false);
      expect(corridor.intersects(pixel(at(495)))).toBe(true);
      const view = square(at(random() * 9000), 10 ** (1 + random() * 3), bearing);
      expect([agrees(circle, view), agrees(corridor, view)]).toEqual([true, true]);
    }
    // Halfway along the first leg, to both sides.
    const [from, to] = [
      { lon: 5.3, lat: 60.4 },
      { lon: 5.5, lat: 60.5 },
    ];
    const middle = destination(from, 44.6, distanceM(from, to) / 2);
    expect(corridor.intersects(pixel(toPosition(middle)))).toBe(true);
    for (const side of [-45.4, 134.6]) {
      expect(corridor.intersects(pixel(toPosition(destination(middle, side, 450))))).toBe(true);
      expect(corridor.intersects(pixel(toPosition(destination(middle, side, 560))))).toBe(false);
    }
  });

  it('are seen by the share of their area, within five hundredths', () => {
    const place: Position = [-70, -30];
    const whole = targetOf([{ kind: 'area', rings: [square(place, 1000)] }]);
    expect(whole.shareIn(shapeOf(square(place, 2000)))).toBe(1);
    expect(whole.shareIn(shapeOf(square(place, 500)))).toBeCloseTo(0.25, 1);
    expect(Math.abs(whole.shareIn(shapeOf(square(place, 707))) - 0.5)).toBeLessThan(0.05);
    expect(whole.shareIn(shapeOf(square([-71, -30], 100)))).toBe(0);
    expect(targetOf([{ kind: 'line', positions: [place] }]).shareIn(shapeOf(square(place, 5)))).toBe(1);
    const thin = targetOf(
      corridorParts(
        [
          [-70, -30],
          [-69, -29],
        ],
        20,
      ),
    );
    expect(thin.shareIn(shapeOf(square([-69.5, -29.5], 500_000)))).toBe(1);
  });
});
