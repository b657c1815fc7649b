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

type Heard = [message: AisMessage, origin?: { timeUs: number | null; timeFrom: 'line' | null; clockUs?: number }];

/** Times of these messages, in seconds after T0, and where they come from. */
function datesOf(heard: readonly Heard[]): { seconds: (number | null)[]; from: (string | null)[] } {
  const times: (FileTime | null)[] = [];
  const clock = createFileClock<number>((index, time) => {
    expect(index).toBe(times.length);
    times.push(time);
  });
  for (const [index, [message, origin = NONE]] of heard.entries()) clock.add(index, message, origin);
  clock.end();
  expect(times).toHaveLength(heard.length);
  return {
    seconds: times.map((time) => (time === null ? null : (time.timeUs - T0) / 1e6)),
    from: times.map((time) => time?.from ?? null),
  };
}
const secondsOf = (...messages: AisMessage[]) => datesOf(messages.map((message) => [message])).seconds;

it('a file without any time is undated', () => {
  expect(secondsOf(ship(12), base(null), text)).toEqual([null, null, null]);
});

it('the seconds of position reports carry the time forward, over the minute too', () => {
  const seconds = [53, 51, null, 2, 20, 44, 5].map(ship);
  expect(secondsOf(base(T0), ...seconds, text)).toEqual([0, 3, 1, 3, 12, 30, 54, 75, 75]);
});

it('and backward, to what was heard before the first base station', () => {
  expect(secondsOf(ship(20), ship(55), text, ship(48), base(T0), ship(52))).toEqual([-30, 5, -2, -2, 0, 2]);
});

it('a base station with a wrong clock is not believed alone, and five that agree are', () => {
  const wrong = T0 - 86_400e6 * 500;
  const right = [1, 2, 3].map((minutes) => T0 + minutes * 60e6);
  const times = [right[0]!, wrong, right[1]!, wrong, wrong, right[2]!].map(base);
  expect(secondsOf(...times)).toEqual([60, 60, 120, 120, 120, 180]);
  const later = [0, 1, 2, 3, 4].map((minute) => base(T0 + 7200e6 + minute * 60e6));
  expect(secondsOf(base(T0), ...later)).toEqual([0, 7200, 7260, 7320, 7380, 7440]);
  expect(secondsOf(base(T0), ship(52), base(wrong))).toEqual([0, 2, 2]);
});

it('of two logs in one file each keeps its own day, up to the pause between them', () => {
  const DAY = 86_400;
  const second = [ship(20), ship(22), ship(24)];
  const stations = [35, 45].map((s) => base(T0 + DAY * 1e6 + s * 1e6));
  // The first goes on for 6 s after its last base station; the second begins 31 s before its first.
  const found = secondsOf(base(T0), ship(52), ship(56), ...second, ...stations, ship(40));
  expect(found).toEqual([0, 2, 6, DAY + 30, DAY + 32, DAY + 34, DAY + 35, DAY + 45, DAY + 50]);
  // An earlier day too.
  const back = secondsOf(base(T0 + DAY * 1e6), ship(52), ship(20), base(T0 + 35e6), base(T0 + 45e6));
  expect(back).toEqual([DAY, DAY + 2, 30, 35, 45]);
});

it('a time that is stated comes first, and says nothing of the others', () => {
  const stated = { timeUs: T0 + 600e6, timeFrom: 'line' } as const;
  const { seconds, from } = datesOf([[base(T0)], [ship(3), stated], [ship(55)], [text, stated]]);
  expect(seconds).toEqual([0, 600, 5, 600]);
  expect(from).toEqual(['baseStation', 'line', 'baseStation', 'line']);
});

it('RMC and ZDA date what comes after them and before', () => {
  const { seconds, from } = datesOf([[ship(49)], [ship(51), { ...NONE, clockUs: T0 }], [ship(53)]]);
  expect(seconds).toEqual([-1, 1, 3]);
  expect(from).toEqual(['line', 'line', 'line']);
});

it('300,000 messages before the first time are not all kept', () => {
  let [undated, known] = [0, 0];
  const clock = createFileClock<null>((_, time) => {
    if (time === null) undated += 1;
    else known += 1;
  });
  for (let n = 0; n < 300_000; n += 1) clock.add(null, ship(n % 60), NONE);
  expect(undated).toBeGreaterThan(190_000);
  clock.add(null, base(T0), NONE);
  clock.end();
  expect(undated + known).toBe(300_001);
  expect(known).toBeGreaterThan(40_000);
});

it('300,000 base stations that all state another time are not all kept', () => {
  let reported = 0;
  const clock = createFileClock<null>(() => {
    reported += 1;
  });
  for (let n = 0; n < 300_000; n += 1) clock.add(null, base(T0 + (n % 1000) * 3600e6), NONE);
  expect(reported).toBeGreaterThan(190_000);
  clock.end();
  expect(reported).toBe(300_000);
});

itWithData('a passage with base stations in hearing gets times in their order', () => {
  const times: number[] = [];
  // Three sentences of the log are older ones, with their times.
  const clock = createFileClock<boolean>(
    (isStated, time) => void (!isStated && time !== null && times.push(time.timeUs)),
  );
  const reader = createAisReader({
    onMessage: (message, origin) => clock.add(origin.timeUs !== null, message, origin),
  });
  reader.push(readFileSync(testData('ais/opencpn/Go_to_Guernesey.txt')));
  reader.end();
  clock.end();
  // The log says it was sailed on 26 July 2011, from 03:52 on.
  const day = Date.UTC(2011, 6, 26) * 1000;
  const hours = times.map((time) => (time - day) / 3600e6);
  expect(times.length).toBeGreaterThan(17_000);
  expect(hours.filter((hour) => hour < 3.8 || hour > 30)).toEqual([]);
  const back = times.filter((time, index) => time < (times[index - 1] ?? 0) - 60e6);
  expect(back.length).toBeLessThan(times.length / 100);
});
