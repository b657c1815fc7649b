import { expect, it } from 'vitest';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { leaderAfterLoss } from './lead-passes.ts';

type Kind = 'online' | 'lost' | 'offline';

const streamOf = (name: string, state: Kind) => {
  const sensor = liveSensorOf({ name, state });
  return { sensor, platform: livePlatformOf({ name, sensors: [sensor] }) };
};

function after({
  states,
  pictures = [],
  lostForMs = 5000,
  chosenLost = false,
}: {
  states: Kind[];
  pictures?: number[];
  lostForMs?: number;
  chosenLost?: boolean;
}) {
  const watched = states.map((state, index) => streamOf(String(index), state));
  const withPicture = pictures.map((index) => watched[index]!.sensor._id);
  const next = leaderAfterLoss({
    ...{ watched, lostForMs, chosenLost },
    leader: watched[0]!.sensor._id,
    hasPicture: (id) => withPicture.includes(id),
  });
  return next === null || next === 'none' ? next : next.sensor.name;
}

it('passes the lead from a lost stream to the first one that has a picture', () => {
  expect(after({ states: ['lost', 'online', 'online'], pictures: [2] })).toBe('2');
  expect(after({ states: ['offline', 'online', 'online'], pictures: [1, 2] })).toBe('1');
});

it('leaves the lead to a stream that sends, or was lost less than 5 s ago', () => {
  expect(after({ states: ['online', 'online'], pictures: [1] })).toBeNull();
  expect(after({ states: ['lost', 'online'], pictures: [1], lostForMs: 4999 })).toBeNull();
});

it('leaves the lead to a lost stream that the user chose', () => {
  expect(after({ states: ['lost', 'online'], pictures: [1], chosenLost: true })).toBeNull();
});

it('waits for the first picture of a stream that sends, and says when none does', () => {
  expect(after({ states: ['lost', 'online'] })).toBeNull();
  expect(after({ states: ['lost', 'lost'], pictures: [1] })).toBe('none');
});
