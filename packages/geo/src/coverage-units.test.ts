import { expect, it } from 'vitest';
import { coveredSeconds, coveredSecondsIn, packSightings, rounded, type Sighting } from './coverage-chunk.ts';
import { meets, type Shape, shapeOf } from './coverage-meets.ts';
import { UNITS, unitsTest } from './coverage-units.ts';
import { destination } from './great-circle.ts';
import { type Position, toPosition } from './point.ts';

/** Numbers from 0 to 1 that are the same at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const at = ([lon, lat]: Position, bearing: number, metres: number): Position =>
  toPosition(destination({ lon, lat }, bearing, metres));

/** A ring of corners at uneven distances; `hollow`: every second one is nearer. */
function ringAround(centre: Position, metres: number, { corners, turn, hollow }: Kind): Position[] {
  return Array.from({ length: corners }, (_, corner) => {
    const far = hollow && corner % 2 === 1 ? 0.3 : 0.6 + ((corner * 7 + turn) % 5) / 6;
    return at(centre, turn + (corner * 360) / corners, metres * far);
  });
}
type Kind = { corners: number; turn: number; hollow: boolean };

function meetsPlainly(view: readonly Position[], shape: Shape): boolean {
  try {
    return meets(shapeOf(view), shape);
  } catch {
    return false;
  }
}

const regions: [string, (random: () => number) => Position][] = [
  ['anywhere', (random) => [random() * 360 - 180, (Math.asin(random() * 2 - 1) * 180) / Math.PI]],
  ['at 54° north', (random) => [10 + random(), 54 + random()]],
  ['at the equator', (random) => [random() - 0.5, random() - 0.5]],
  ['at the antimeridian', (random) => [random() < 0.5 ? 180 - random() * 0.01 : random() * 0.01 - 180, 30 + random()]],
  ['near a pole', (random) => [random() * 360 - 180, -70 - random() * 20]],
];

it.each(regions)('says of a footprint what a comparison on the sphere says, %s', (_, placeIn) => {
  const random = numbers(11);
  const counts = { met: 0, apart: 0 };
  for (let round = 0; round < 2500; round += 1) {
    const metres = 10 ** (1 + random() * 4.3);
    const corners = [1, 4, 4, 4, 3, 9, 20, 90][Math.floor(random() * 8)]!;
    const place = placeIn(random);
    const ring =
      corners === 1 ? [place] : ringAround(place, metres, { corners, turn: random() * 360, hollow: random() < 0.2 });
    const shape = shapeOf(ring);
    const intersects = unitsTest(ring, shape);
    for (let view = 0; view < 4; view += 1) {
      const own = 10 ** (1 + random() * 4.3);
      // Most of them so far apart that their borders are near each other.
      const centre = at(place, random() * 360, (metres + own) * random() ** 0.5);
      const hollow = random() < 0.05;
      const { corners } = rounded({
        timeUs: 0,
        corners: ringAround(centre, own, {
          corners: 4,
          turn: random() * 360,
          hollow,
        }) as unknown as Sighting['corners'],
        platform: null,
      });
      const units = Float64Array.from([0, ...corners.flat()], (value) => Math.round(value * UNITS));
      const isIntersecting = meetsPlainly(corners, shape);
      counts[isIntersecting ? 'met' : 'apart'] += 1;
      if (intersects(units, 1) !== isIntersecting) expect({ ring, corners }, `${isIntersecting}`).toBeNull();
    }
  }
  expect(Math.min(counts.met, counts.apart)).toBeGreaterThan(800);
});

it('finds the seconds of packed sightings that the rule gives', () => {
  const random = numbers(5);
  let seconds = 0;
  for (let round = 0; round < 200; round += 1) {
    const place: Position = [random() * 360 - 180, random() * 150 - 75];
    const metres = 10 ** (1.5 + random() * 2.5);
    let time = 1e9;
    const sightings = Array.from({ length: 60 }, (_, step): Sighting => {
      time += random() < 0.3 ? Math.ceil(time) - time : random() * 2.6;
      const centre = at(place, 70, metres * (step / 10 - 3));
      return rounded({
        timeUs: Math.round(time * 1e6),
        corners: [270, 0, 90, 180].map((bearing) =>
          at(centre, bearing + step, metres),
        ) as unknown as Sighting['corners'],
        platform: step % 3 === 0 ? null : [centre[0], centre[1], 900.5],
      });
    });
    const ring = round % 2 === 0 ? [place] : [0, 90, 180, 270].map((bearing) => at(place, bearing, metres / 2));
    const bounds = { fromSecond: 1e9 + 3, toSecond: 1e9 + 70 };
    const shape = shapeOf(ring);
    const found = coveredSecondsIn(packSightings(sightings), unitsTest(ring, shape), bounds);
    expect(found.map(({ second, by }) => ({ second, by: by() }))).toEqual(coveredSeconds(sightings, shape, bounds));
    seconds += found.length;
  }
  expect(seconds).toBeGreaterThan(1000);
});
