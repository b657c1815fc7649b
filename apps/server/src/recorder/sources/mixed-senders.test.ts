import { expect, it } from 'vitest';
import { mixedSenders } from './mixed-senders.ts';

function watched() {
  const problems: (string | null)[] = [];
  return { problems, senders: mixedSenders({ problem: (text) => problems.push(text) }) };
}

it('names two senders that send in turns, once, and says when one is alone again', () => {
  const { problems, senders } = watched();

  for (let n = 0; n < 100; n += 1) senders.bare('10.0.0.5', 5000 + (n % 2), 10 * n);
  expect(problems).toEqual([expect.stringContaining('Two senders send to this port at once')]);
  for (let ms = 1000; ms < 7000; ms += 10) senders.bare('10.0.0.5', 5000, ms);

  expect(problems.slice(1)).toEqual([null]);
});

it('says nothing of a sender that restarts, nor of one RTP stream over two paths', () => {
  const { problems, senders } = watched();

  for (let n = 0; n < 1000; n += 1) senders.bare('10.0.0.5', 5000 + Math.floor(n / 100), 10 * n);
  for (let n = 0; n < 1000; n += 1) senders.rtp(7, 10_000 + n);

  expect(problems).toEqual([]);
});
