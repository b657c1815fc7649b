import { describe, expect, it } from 'vitest';
import { cellsOf, cellsOfAll, entriesOf, probesOf } from './coverage-cells.ts';
import { countsAt, coveredSeconds, packSightings, rounded, type Sighting, unpackSightings } from './coverage-chunk.ts';
import { meets, shapeOf } from './coverage-meets.ts';
import { destination } from './great-circle.ts';
import { type Position, toPosition, wrapLon } from './point.ts';

/** A square around a place; metres from its middle to a corner. */
function square([lon, lat]: Position, metres: number, turn = 45): Sighting['corners'] {
  const corner = (bearing: number) => toPosition(destination({ lon, lat }, bearing + turn, metres));
  return [corner(270), corner(0), corner(90), corner(180)];
}

/** Numbers from 0 to 1 that are the same at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('meets', () => {
  it('finds points inside, on the border and outside', () => {
    const view = shapeOf(square([10, 54], 500));
    expect(meets(view, shapeOf([[10, 54]]))).toBe(true);
    expect(meets(view, shapeOf([square([10, 54], 500)[2]]))).toBe(true);
    expect(meets(view, shapeOf([toPosition(destination({ lon: 10, lat: 54 }, 0, 353))]))).toBe(true);
    expect(meets(view, shapeOf([toPosition(destination({ lon: 10, lat: 54 }, 0, 355))]))).toBe(false);
  });

  it('finds shapes that cross without a corner in each other, and one inside the other', () => {
    const wide: Position[] = [
      [0, 0],
      [10, 0],
      [10, 1],
      [0, 1],
    ];
    const tall: Position[] = [
      [4, -5],
      [5, -5],
      [5, 5],
      [4, 5],
    ];
    expect(meets(shapeOf(wide), shapeOf(tall))).toBe(true);
    expect(
      meets(
        shapeOf(wide),
        shapeOf([
          [5, 0.5],
          [5.1, 0.5],
          [5, 0.6],
        ]),
      ),
    ).toBe(true);
    expect(
      meets(
        shapeOf([
          [5, 0.5],
          [5.1, 0.5],
          [5, 0.6],
        ]),
        shapeOf(wide),
      ),
    ).toBe(true);
    expect(
      meets(
        shapeOf(wide),
        shapeOf([
          [20, 0],
          [21, 0],
          [21, 1],
        ]),
      ),
    ).toBe(false);
  });

  it('takes edges as great circles, across the antimeridian and over a pole', () => {
    // Between 0 and 60 degrees east, the great circle at 60 degrees north rises to 63.43.
    const arch: Position[] = [
      [0, 60],
      [60, 60],
      [60, 50],
      [0, 50],
    ];
    expect(meets(shapeOf(arch), shapeOf([[30, 63.4]]))).toBe(true);
    expect(meets(shapeOf(arch), shapeOf([[30, 63.5]]))).toBe(false);
    const pacific = shapeOf(square([179.999, 10], 1000));
    expect(meets(pacific, shapeOf([[-179.9995, 10]]))).toBe(true);
    expect(meets(pacific, shapeOf([[-179.9, 10]]))).toBe(false);
    const pole = shapeOf([
      [0, 89],
      [90, 89],
      [180, 89],
      [-90, 89],
    ]);
    expect(meets(pole, shapeOf([[33, 90]]))).toBe(true);
    expect(meets(pole, shapeOf([[45, 89]]))).toBe(false);
  });

  it('refuses what is larger than half the earth', () => {
    expect(() =>
      shapeOf([
        [0, 0],
        [120, 0],
        [-120, 0],
      ]),
    ).toThrow(RangeError);
  });
});

describe('cells', () => {
  it('are at most 16, and share an entry if footprint and shape meet', () => {
    const random = numbers(7);
    let intersecting = 0;
    for (let round = 0; round < 4000; round += 1) {
      const place: Position = [random() * 360 - 180, Math.asin(random() * 2 - 1) * (180 / Math.PI)];
      const [size, other] = [10 ** (1 + random() * 5), 10 ** (random() * 5.5)];
      const view = square(place, size, random() * 90);
      const apart = destination({ lon: place[0], lat: place[1] }, random() * 360, random() * 1.5 * (size + other));
      const asked = round % 3 === 0 ? [toPosition(apart)] : square(toPosition(apart), other, random() * 90);
      const cells = cellsOf(view);
      expect(cells.length).toBeLessThanOrEqual(16);
      if (!meets(shapeOf(view), shapeOf(asked))) continue;
      intersecting += 1;
      const entries = new Set(entriesOf(cells));
      expect(probesOf(cellsOf(asked)).some((probe) => entries.has(probe))).toBe(true);
    }
    expect(intersecting).toBeGreaterThan(1000);
  });

  it('of many footprints together are at most 48, and share an entry with everything that one of them meets', () => {
    const random = numbers(9);
    for (let round = 0; round < 20; round += 1) {
      const metres = 10 ** (1 + random() * 3.5);
      const from = { lon: random() * 360 - 180, lat: random() * 120 - 60 };
      const views = Array.from({ length: 60 }, (_, second) =>
        square(toPosition(destination(from, 70, second * 55)), metres, second),
      );
      const cells = cellsOfAll(views);
      expect(cells.length).toBeLessThanOrEqual(48);
      const entries = new Set(entriesOf(cells));
      for (const view of views) {
        const asked = square(view[0], metres / 3, 10);
        if (!meets(shapeOf(view), shapeOf(asked))) continue;
        expect(probesOf(cellsOf(asked)).some((probe) => entries.has(probe))).toBe(true);
      }
    }
  });

  it('are safe integers of one meaning each, at poles and antimeridian too', () => {
    for (const place of [
      [0, 90],
      [0, -90],
      [180, 0],
      [-180, 0],
      [179.9999999, 0],
    ] as Position[]) {
      const cells = cellsOf([place]);
      expect(cells.every(Number.isSafeInteger)).toBe(true);
      expect(cells.length).toBeGreaterThan(0);
    }
    expect(
      probesOf(cellsOf([[180, 0]])).some((one) => entriesOf(cellsOf(square([wrapLon(180), 0], 50))).includes(one)),
    ).toBe(true);
  });
});

describe('chunks', () => {
  const flight = (seconds: number[]): Sighting[] =>
    seconds.map((second, at) =>
      rounded({
        timeUs: 1_700_000_000_000_000 + Math.round(second * 1e6),
        corners: square([179.9995 + at * 1e-4, -33], 80, at),
        platform: at % 3 === 2 ? null : [wrapLon(179.99 + at * 1e-3), -33.01, 1234.5],
      }),
    );

  it('come back as they were packed, in few bytes', () => {
    const sightings = flight(Array.from({ length: 600 }, (_, at) => at / 10));
    const bytes = packSightings(sightings);
    expect(unpackSightings(bytes)).toEqual(sightings);
    const ended = sightings.map((one, at) => (at % 4 === 3 ? { ...one, endUs: one.timeUs + 40_000 } : one));
    expect(unpackSightings(packSightings(ended))).toEqual(ended);
    expect(bytes.length / sightings.length).toBeLessThan(50);
    expect(() => unpackSightings(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  });

  it('are read as an earlier version packed them', () => {
    const corners = (lon: number): Sighting['corners'] => [
      [lon, -33.0001],
      [lon + 0.001, -33.0002],
      [lon + 0.001, -33.0012],
      [lon, -33.0011],
    ];
    const bytes = Buffer.from(
      '8080f281838985060280fe98c60bcfa9dbba02a09a9ac60b9fb9dbba02a09a9ac60bbfd5dcba0280fe98c60befc5dcba02' +
        'c0e38cc60bbfb4e7ba02f2c001bfe5e5818389850600d00f00d00f00d00f00d00f00',
      'hex',
    );
    expect(unpackSightings(bytes)).toEqual([
      { timeUs: 1_700_000_000_000_000, corners: corners(155), platform: [154.99, -33.01, 1234.5] },
      { timeUs: 1_700_000_000_100_000, corners: corners(155.0001), platform: null },
    ]);
  });

  it('count a second by any set and by the last set at most two seconds before', () => {
    const at = (second: number, place: Position): Sighting => ({
      timeUs: second * 1e6,
      corners: square(place, 100),
      platform: null,
    });
    const here = shapeOf([[5, 5]]);
    const seconds = (sightings: Sighting[]) =>
      coveredSeconds(sightings, here, { fromSecond: 0, toSecond: 100 }).map(({ second }) => second);
    expect(seconds([at(10.5, [5, 5])])).toEqual([10, 11, 12]);
    // The set at 11.5 is the last one before 12, and the one at 10.5 the last before 11.
    expect(seconds([at(10.5, [5, 5]), at(11.5, [6, 6])])).toEqual([10, 11]);
    expect(seconds([at(10.5, [5, 5]), at(10.9, [6, 6])])).toEqual([10]);
    // A set at the very beginning of a second is not before it.
    expect(seconds([at(10.5, [5, 5]), at(11, [6, 6])])).toEqual([10, 11]);
    expect(seconds([at(10.5, [5, 5]), at(20, [6, 6])])).toEqual([10, 11, 12]);
    expect(seconds([])).toEqual([]);
    // The recording ends: a second that begins before is counted, as far as the last set holds.
    const ending = (second: number, end: number): Sighting => ({ ...at(second, [5, 5]), endUs: end * 1e6 });
    expect(seconds([ending(10.5, 12.5)])).toEqual([10, 11, 12]);
    expect(seconds([ending(10.5, 12)])).toEqual([10, 11]);
    expect(seconds([ending(10.5, 10.6)])).toEqual([10]);
    expect(seconds([ending(10, 10), ending(10, 10)])).toEqual([10]);
    expect(seconds([ending(10.5, 10.6), at(12.2, [5, 5])])).toEqual([10, 12, 13, 14]);
  });

  it('count at a moment until two seconds after it, or the end of the recording', () => {
    const sighting: Sighting = { timeUs: 10e6, corners: square([5, 5], 100), platform: null };
    expect([10e6, 12e6, 12e6 + 1].map((time) => countsAt(sighting, time))).toEqual([true, true, false]);
    const ending = { ...sighting, endUs: 11e6 };
    expect([10e6, 11e6 - 1, 11e6].map((time) => countsAt(ending, time))).toEqual([true, true, false]);
    expect(countsAt({ ...sighting, endUs: 10e6 }, 10e6)).toBe(true);
  });

  it('agree with the sentence of the rule, set by set', () => {
    const random = numbers(3);
    for (let round = 0; round < 200; round += 1) {
      let time = 0;
      const sightings = Array.from({ length: 12 }, (): Sighting => {
        time += random() < 0.3 ? Math.ceil(time) - time : random() * 2.6;
        const [timeUs, corners] = [Math.round(time * 1e6), square([random() < 0.5 ? 5 : 6, 5], 100)];
        const end = random() < 0.2 ? { endUs: timeUs + Math.round(random() * 2.5e6) } : {};
        return { timeUs, corners, platform: null, ...end };
      });
      const here = shapeOf([[5, 5]]);
      const reported: number[] = [];
      for (let second = 0; second < 60; second += 1) {
        const last = sightings.filter(({ timeUs }) => timeUs < second * 1e6).at(-1);
        const counted = sightings.filter(
          ({ timeUs, endUs = Number.POSITIVE_INFINITY }) =>
            Math.floor(timeUs / 1e6) === second ||
            (timeUs === last?.timeUs && timeUs >= (second - 2) * 1e6 && second * 1e6 < endUs),
        );
        if (counted.some(({ corners }) => meets(shapeOf(corners), here))) reported.push(second);
      }
      const found = coveredSeconds(sightings, here, { fromSecond: 0, toSecond: 60 }).map(({ second }) => second);
      expect(found).toEqual(reported);
    }
  });
});
