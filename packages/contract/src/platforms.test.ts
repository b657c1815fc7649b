import { expect, it } from 'vitest';
import { type PlatformRecord, platformRecord } from './platforms.ts';

it.each<[Partial<PlatformRecord>, number]>([
  [{}, 0],
  [{ onPresence: false, schedule: [] }, 0],
  [{ onPresence: true }, 30],
  [{ schedule: ['Mon-Fri 06:00-18:00'] }, 30],
  [{ onPresence: true, preRollSeconds: 0 }, 0],
  [{ onPresence: true, preRollSeconds: 10 }, 10],
  [{ preRollSeconds: 10 }, 10],
])('rules of recording %j keep %i s from before the beginning', (written, seconds) => {
  const record = platformRecord.parse(written);

  expect(record).toEqual({ onPresence: false, schedule: [], ...written, preRollSeconds: seconds });
  expect(platformRecord.parse(record)).toEqual(record);
});

it.each([-1, 301, 1.5, '10', null])('%j seconds from before the beginning are refused', (preRollSeconds) => {
  const { error } = platformRecord.safeParse({ onPresence: true, preRollSeconds });

  expect(error?.issues.map(({ path }) => path)).toEqual([['preRollSeconds']]);
});
