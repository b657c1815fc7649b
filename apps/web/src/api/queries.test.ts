import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { Queries } from './queries.ts';

const queries = new Queries({ defaultOptions: { queries: { retry: false } } });
const KEY = ['documents', 'one', 'a'];
afterEach(() => queries.clear());

/** A query on screen whose answers come when they are called for. */
function shown() {
  const waiting: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: KEY,
    queryFn: () => new Promise<string>((answer, fail) => waiting.push({ answer, fail })),
  });
  const leave = observer.subscribe(() => undefined);
  return { waiting, leave, data: () => observer.getCurrentResult().data };
}

it('reads once more what was invalidated while it was read for the first time', async () => {
  const { waiting, data } = shown();
  const changed = queries.invalidateQueries({ queryKey: ['documents'] });

  waiting[0]!.answer('Processing');
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]!.answer('Ready');
  await changed;

  expect(data()).toBe('Ready');
});

it('leaves alone what is not meant', async () => {
  const { waiting, data } = shown();
  const changed = queries.invalidateQueries({ queryKey: ['missions'] });

  waiting[0]!.answer('Processing');
  await changed;
  await expect.poll(data).toBe('Processing');

  expect(waiting).toHaveLength(1);
  expect(queries.getQueryState(KEY)?.isInvalidated).toBe(false);
});

it('does not ask again after a failure, nor for a page that was left', async () => {
  const failed = shown();
  const changed = queries.invalidateQueries({ queryKey: ['documents'] });
  failed.waiting[0]!.fail(new Error('no'));
  await changed;
  expect(failed.waiting).toHaveLength(1);
  failed.leave();
  queries.clear();

  const left = shown();
  const changedAgain = queries.invalidateQueries({ queryKey: ['documents'] });
  left.leave();
  left.waiting[0]!.answer('Processing');
  await changedAgain;
  expect(left.waiting).toHaveLength(1);
});

it('only marks the queries that it was asked to mark', async () => {
  const { waiting } = shown();
  const changed = queries.invalidateQueries({ queryKey: KEY, refetchType: 'none' });
  waiting[0]!.answer('Processing');
  await changed;

  expect(waiting).toHaveLength(1);
  expect(queries.getQueryState(KEY)?.isInvalidated).toBe(true);
});
