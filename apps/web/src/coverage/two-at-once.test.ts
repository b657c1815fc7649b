import { expect, it } from 'vitest';
import { atMost } from './two-at-once.ts';

/** Work that ends when it is released. */
function held() {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    running.push(name);
    return new Promise<string>((resolve) => {
      ends.set(name, () => {
        running.splice(running.indexOf(name), 1);
        resolve(name);
      });
    });
  };
  return { running, work, end: (name: string) => ends.get(name)!() };
}

it('does two things at a time, in their order, and leaves out those that are no longer awaited', async () => {
  const { running, work, end } = held();
  const turn = atMost(2);
  const gone = new AbortController();
  const [a, b] = [turn(work('a')), turn(work('b'))];
  const c = turn(work('c'), gone.signal);
  const d = turn(work('d'));
  await Promise.resolve();
  expect(running).toEqual(['a', 'b']);

  gone.abort(new Error('left'));
  await expect(c).rejects.toThrow('left');
  end('a');
  expect(await a).toBe('a');
  await expect.poll(() => running).toEqual(['b', 'd']);
  end('b');
  end('d');
  expect(await Promise.all([b, d])).toEqual(['b', 'd']);
  await expect(turn(() => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
  expect(await turn(async () => 'e')).toBe('e');
});
