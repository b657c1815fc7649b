import { expect, it } from 'vitest';
import { healthLook } from './health-look.ts';

it('checks once for all strangers of a second, and again for accounts that see the checks', async () => {
  let nowMs = 0;
  let checked = 0;
  const check = async () => ({ name: 'disk', state: 'ok' as const, text: String(++checked) });
  const current = healthLook({ checks: [check], nowMs: () => nowMs });

  await Promise.all([current.shared(), current.shared(), current.shared()]);
  expect(checked).toBe(1);

  expect(await current.fresh()).toMatchObject([{ text: '2' }]);
  nowMs += 1000;
  await current.shared();
  expect(checked).toBe(3);
});
