import { expect, it } from 'vitest';
import { z } from 'zod';
import { column } from './column.ts';

it.each([
  [['number', 'string', 'null'] as const, [1.5, 'KEA', null], true],
  [['number', 'string', 'null'] as const, [], true],
  [['number', 'string', 'null'] as const, [1, undefined], false],
  [['number', 'string', 'null'] as const, [1, {}], false],
  [['number', 'string', 'null'] as const, [Number.NaN], false],
  [['integer'] as const, [1, 2], true],
  [['integer'] as const, [1.5], false],
  [['number'] as const, [1, 2], true],
  [['number'] as const, [1, null], false],
  [['number'] as const, ['1'], false],
  [['number'] as const, 'numbers', false],
  [['number'] as const, null, false],
])('of %j takes %j: %s', (kinds, values, taken) => {
  expect(column(...kinds).safeParse(values).success).toBe(taken);
});

it('is described as the array it is', () => {
  expect(z.toJSONSchema(column('number', 'null'), { unrepresentable: 'any' })).toMatchObject({
    type: 'array',
    items: { type: ['number', 'null'] },
  });
});
