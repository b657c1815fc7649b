import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { type AisMessage, createAisReader, createFileClock, type FileTime } from '../src/index.ts';
import { EVERY_TYPE } from './every-type.ts';

const T0 = Date.UTC(2026, 5, 1, 9, 30, 50) * 1000;
const NONE = { timeUs: null, timeFrom: null };
const base = (timeUs: number | null) => ({ ...EVERY_TYPE.find(({ type }) => type === 4)!, timeUs }) as AisMessage;
const ship = (second: number | null) => ({ ...EVERY_TYPE[0]!, second }) as AisMessage;
const text = EVERY_TYPE.find(({ type }) => type === 14)!;

/** Seconds after T0. */
const secondsOf = (time: FileTime | null) => (time === null ? null : (time.timeUs - T0) / 1e6);

it('a file without any time is undated until a base station is heard', () => {
  const clock = createFileClock();
  expect(clock.timeOf(ship(12), NONE)).toBeNull();
  expect(clock.timeOf(base(null), NONE)).toBeNull();
  expect(clock.timeOf(base(T0), NONE)).toEqual({ timeUs: T0, from: 'baseStation' });
});

it('the seconds of position reports carry the time forward, over the minute too', () => {
  const clock = createFileClock();
  clock.timeOf(base(T0), NONE);
  const times = [53, 51, null, 2, 20, 44, 5].map((second) => secondsOf(clock.timeOf(ship(second), NONE)));
  expect(times).toEqual([3, 1, 3, 12, 30, 54, 75]);
  expect(secondsOf(clock.timeOf(text, NONE))).toBe(75);
});

it('a base station with a wrong clock is not believed alone, and five that agree are', () => {
  const clock = createFileClock();
  const wrong = T0 - 86_400e6 * 500;
  const right = [1, 2, 3, 4].map((minutes) => T0 + minutes * 60e6);
  const times = [right[0]!, wrong, right[1]!, wrong, wrong, right[2]!].map((timeUs) =>
    secondsOf(clock.timeOf(base(timeUs), NONE)),
  );
  expect(times).toEqual([60, 60, 120, 120, 120, 180]);
  const later = [0, 1, 2, 3, 4].map((minute) => T0 + 7200e6 + minute * 60e6);
  expect(later.map((timeUs) => secondsOf(clock.timeOf(base(timeUs), NONE)))).toEqual([180, 180, 180, 180, 7440]);
});

it('a time that is stated comes first, and says nothing of the others', () => {
  const clock = createFileClock();
  clock.timeOf(base(T0), NONE);
  const stated = { timeUs: T0 + 600e6, timeFrom: 'line' } as const;
  expect(clock.timeOf(ship(3), stated)).toEqual({ timeUs: T0 + 600e6, from: 'line' });
  expect(secondsOf(clock.timeOf(ship(55), NONE))).toBe(5);
});

itWithData('a passage with base stations in hearing gets times in their order', () => {
  const clock = createFileClock();
  const times: number[] = [];
  const reader = createAisReader({
    onMessage(message, origin) {
      const time = clock.timeOf(message, origin);
      // Three sentences of the log are older ones, with their times.
      if (time?.from === 'baseStation') times.push(time.timeUs);
    },
  });
  reader.push(readFileSync(testData('ais/opencpn/Go_to_Guernesey.txt')));
  reader.end();
  // The log says it was sailed on 26 July 2011, from 03:52 on.
  const day = Date.UTC(2011, 6, 26) * 1000;
  const hours = times.map((time) => (time - day) / 3600e6);
  expect(times.length).toBeGreaterThan(17_000);
  expect(hours.filter((hour) => hour < 3.8 || hour > 30)).toEqual([]);
  const back = times.filter((time, index) => time < (times[index - 1] ?? 0) - 60e6);
  expect(back.length).toBeLessThan(times.length / 100);
});
