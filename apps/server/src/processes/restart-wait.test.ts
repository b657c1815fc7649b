import { expect, it } from 'vitest';
import { restartWaitMs } from './restart-wait.ts';

it('grows from failure to failure, and is never longer than 2 s', () => {
  expect([0, 1, 2, 3, 4, 1000].map(restartWaitMs)).toEqual([300, 600, 1200, 2000, 2000, 2000]);
});
