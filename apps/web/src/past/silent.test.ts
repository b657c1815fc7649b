import { expect, it } from 'vitest';
import { gapsOf, silentAt } from './silent.ts';

const MINUTE = 60_000_000;
const receiver = (sensorName: string, ...spans: [number, number][]) => ({
  ...{ sensor: crypto.randomUUID(), sensorName, platformName: 'OSP-21', missionName: null },
  spans: spans.map(([from, to]): [number, number] => [from * MINUTE, to * MINUTE]),
});

it('names receivers that heard nothing at a moment', () => {
  const receivers = [receiver('A', [0, 10], [20, 30]), receiver('B', [5, 60])];
  const names = (minute: number) => silentAt(receivers, minute * MINUTE).map(({ sensorName }) => sensorName);
  expect(names(2)).toEqual(['B']);
  expect(names(7)).toEqual([]);
  expect(names(10.5)).toEqual([]);
  expect(names(15)).toEqual(['A']);
  expect(names(61.5)).toEqual(['A', 'B']);
});

it('knows the times without a receiver', () => {
  const day = { fromUs: 0, toUs: 100 * MINUTE };
  const gaps = (...spans: [number, number][]) =>
    gapsOf(receiver('A', ...spans).spans, day).map(({ fromUs, toUs }) => [fromUs / MINUTE, toUs / MINUTE]);
  expect(gaps([10, 20], [30, 40])).toEqual([
    [0, 10],
    [20, 30],
    [40, 100],
  ]);
  expect(gaps([0, 100])).toEqual([]);
  expect(gaps()).toEqual([[0, 100]]);
});
