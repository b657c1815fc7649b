import { expect, it } from 'vitest';
import type { Point } from '../point.ts';
import { type Metres, planeAround } from './local-plane.ts';
import { createMatching } from './matching.ts';
import { spreadAlong } from './spread.ts';

const plane = planeAround({ lon: 24.3, lat: 37.6 });
const place = (...at: Metres): Point => plane.toPlace(at);
const ship = (mmsi: number, at: Metres, sigmaM = 20) => ({
  mmsi,
  place: place(...at),
  spread: spreadAlong(0, sigmaM, sigmaM),
});
const target = (id: number, at: Metres) => ({ id, place: place(...at) });
const seconds = (from: number, to: number, step = 0.5) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step);
const asObject = (matched: ReadonlyMap<number, number>) => Object.fromEntries(matched);

it('matches a target once it has been in the ellipse of one ship for 3 s', () => {
  const matching = createMatching();
  const reported = seconds(0, 4).map((second) =>
    asObject(matching.at(second * 1e6, [ship(1, [0, 0]), ship(2, [500, 0])], [target(7, [10, 5])])),
  );
  expect(reported.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => ({})));
  expect(reported.slice(6)).toEqual([{ 7: 1 }, { 7: 1 }, { 7: 1 }]);
});

it('matches none outside of every ellipse, in two of them, or less than half as near as the next ship', () => {
  const ever = (ships: ReturnType<typeof ship>[], targets: ReturnType<typeof target>[]) => {
    const matching = createMatching();
    return seconds(0, 10).map((second) => matching.at(second * 1e6, ships, targets).size);
  };
  const never = seconds(0, 10).map(() => 0);
  expect(ever([ship(1, [0, 0])], [target(7, [60, 0])])).toEqual(never);
  expect(ever([ship(1, [0, 0]), ship(2, [60, 0])], [target(7, [30, 0])])).toEqual(never);
  // Outside of the ellipse of the second ship, which is good to a few metres, and only twice as far from it.
  expect(ever([ship(1, [0, 0]), ship(2, [60, 0], 2)], [target(7, [22, 0])])).toEqual(never);
  expect(ever([ship(1, [0, 0]), ship(2, [60, 0], 2)], [target(7, [18, 0])]).at(-1)).toBe(1);
});

it('of two targets near a ship takes the one that is nearer by half, or none', () => {
  const after = (targets: ReturnType<typeof target>[]) => {
    const matching = createMatching();
    return seconds(0, 5).map((second) => asObject(matching.at(second * 1e6, [ship(1, [0, 0])], targets)));
  };
  expect(after([target(7, [5, 0]), target(8, [-30, 0])]).at(-1)).toEqual({ 7: 1 });
  expect(after([target(8, [-30, 0]), target(7, [5, 0])]).at(-1)).toEqual({ 7: 1 });
  expect(after([target(7, [20, 0]), target(8, [-30, 0])]).at(-1)).toEqual({});
});

it.each([
  ['keeps its tracks', (second: number) => second < 0],
  ['swaps its tracks where they meet', (second: number) => second >= 0],
])('never swaps ships that cross, where the tracker %s', (_how, isSwapped) => {
  const matching = createMatching();
  const named = new Map<number, Set<string>>();
  for (const second of seconds(-60, 60)) {
    // Two ships pass each other at 15 m, at 10 m/s in opposite directions; reports are 25 m away from the true places.
    const [east, west]: [Metres, Metres] = [
      [second * 10, 0],
      [-second * 10, 15],
    ];
    const ships = [ship(1, [east[0] + 20, east[1] + 15]), ship(2, [west[0] - 20, west[1] - 15])];
    const [a, b] = isSwapped(second) ? [8, 7] : [7, 8];
    const matched = matching.at(second * 1e6, ships, [target(a, east), target(b, west)]);
    for (const [id, mmsi] of matched) {
      const truth = id === a ? 1 : 2;
      expect(mmsi, `target ${id} at ${second} s`).toBe(truth);
      const half = second < 0 ? 'before' : 'after';
      named.set(mmsi, (named.get(mmsi) ?? new Set()).add(half));
    }
  }
  // Both ships have their own names before they meet, and again afterwards.
  expect([...named.values()].map((halves) => [...halves])).toEqual([
    ['before', 'after'],
    ['before', 'after'],
  ]);
});

it('starts again after a jump of the clock', () => {
  const matching = createMatching();
  const at = (second: number) => matching.at(second * 1e6, [ship(1, [0, 0])], [target(7, [5, 0])]).size;
  expect(seconds(0, 4, 1).map(at)).toEqual([0, 0, 0, 1, 1]);
  expect(at(100)).toBe(0);
  expect(at(101)).toBe(0);
  expect(at(50)).toBe(0);
});
