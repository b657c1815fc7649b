import { actions } from '@osprey/contract';
import { expect, it } from 'vitest';
import { actionText, resultText } from './rows.tsx';

it('has words for every action that is decided about', () => {
  expect(actions.length).toBeGreaterThan(50);
  expect(actions.filter((action) => actionText(action) === action)).toEqual([]);
});

it('shows an action that it does not know by its own name', () => {
  expect(actionText('annotation.create')).toBe('annotation.create');
});

it('leaves out calls and ids, of which a reader learns nothing', () => {
  const done = { outcome: 'allowed' } as const;
  expect(resultText({ ...done, result: 'POST /missions/upload/:mission/:sensor' })).toBe('');
  expect(resultText({ ...done, result: 'sensor a9636470-20ca-459e-a6ae-978e0c1b2a3d' })).toBe('');
  expect(resultText({ ...done, result: 'label=SECRET, audience' })).toBe('label=SECRET, audience');
  expect(resultText({ outcome: 'refused', result: 'GET /users' })).toBe('Refused');
  expect(resultText({ outcome: 'refused', result: 'unauthorized' })).toBe('Refused: unauthorized');
});
