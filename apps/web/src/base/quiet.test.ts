import { expect, it } from 'vitest';
import { keepQuiet, whenQuiet } from './quiet.ts';

it('lets waiting work go on at once while no caller asks for quiet', async () => {
  await expect(whenQuiet()).resolves.toBeUndefined();
});

it('lets it go on when the last one who asked has taken it back', async () => {
  const reported: string[] = [];
  const [first, second] = [keepQuiet(), keepQuiet()];
  const waited = whenQuiet().then(() => reported.push('quiet'));

  first();
  await Promise.resolve();
  expect(reported).toEqual([]);
  second();
  await waited;

  expect(reported).toEqual(['quiet']);
});
