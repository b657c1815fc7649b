import { expect, it } from 'vitest';
import { noticed } from './noticed.ts';

it('reads each key once, until a notice', async () => {
  let reads = 0;
  const values = noticed(async (key: string) => `${key}${++reads}`);

  expect(await values.get('a')).toBe('a1');
  expect(await values.get('a')).toBe('a1');
  values.forget('a');
  expect(await values.get('a')).toBe('a2');
});

it('does not keep a value that was being read when the notice came', async () => {
  const answers: ((value: string) => void)[] = [];
  const values = noticed(() => new Promise<string>((resolve) => answers.push(resolve)));

  const early = values.get('a');
  values.forget('a');
  const late = values.get('a');
  answers[1]?.('after the change');
  answers[0]?.('before the change');

  expect(await early).toBe('before the change');
  expect(await late).toBe('after the change');
  expect(await values.get('a')).toBe('after the change');
});

it('asks again after a failure', async () => {
  let isDown = true;
  const values = noticed(async () => {
    if (isDown) throw new Error('down');
    return 'up';
  });

  await expect(values.get('a')).rejects.toThrow('down');
  isDown = false;
  expect(await values.get('a')).toBe('up');
});
