import { randomOf } from './random.ts';
import type { Placed, Solid } from './solids.ts';

/** A house, made of one or two white cubes. */
export type House = { body: Placed; solids: Solid[] };

const CLUSTERS: readonly (readonly [east: number, north: number, houses: number, spreadM: number])[] = [
  [2700, -1250, 34, 130],
  [2450, 560, 9, 90],
  [3150, -430, 14, 110],
];

/** Returns the houses of the village at the bay and of two hamlets, only on dry land. */
export function makeVillage(distanceAt: (east: number, north: number) => number): House[] {
  const random = randomOf(37);
  const around = () => random() + random() - 1;
  return CLUSTERS.flatMap(([east, north, count, spreadM]) =>
    Array.from({ length: count }, () => ({
      east: east + around() * spreadM,
      north: north + around() * spreadM,
      courseDeg: random() * 90,
    }))
      .filter((place) => distanceAt(place.east, place.north) > 22)
      .map((body) => ({ body, solids: houseShape(random) })),
  );
}

function houseShape(random: () => number): Solid[] {
  const [deep, wide, heightM] = [3 + 2.5 * random(), 3.5 + 3.5 * random(), 3.2 + 1.5 * random()];
  const white = 222 + 16 * random();
  const cube = (half: readonly [number, number], bottomM: number, topM: number): Solid => ({
    outline: [
      [half[0], -half[1]],
      [half[0], half[1]],
      [-half[0], half[1]],
      [-half[0], -half[1]],
    ],
    bottomM,
    topM,
    side: [white, white - 3, white - 12],
    top: [white - 10, white - 16, white - 30],
    heat: 176 + 24 * random(),
  });
  const upper = random() < 0.4 ? [cube([deep * 0.55, wide * 0.6], heightM, heightM + 2.8)] : [];
  return [cube([deep, wide], 0, heightM), ...upper];
}
