import { expect, it } from 'vitest';
import { importCycle } from './import-cycle.ts';

const chunk = (fileName: string, ...imports: string[]) => ({ type: 'chunk', fileName, imports });

it('finds built files that import each other, directly or through others', () => {
  expect(importCycle([chunk('a', 'b'), chunk('b', 'a')])).toEqual(['a', 'b']);
  expect(importCycle([chunk('page', 'a'), chunk('a', 'b'), chunk('b', 'c'), chunk('c', 'a')])).toEqual(['a', 'b', 'c']);
});

it('finds none where several files import the same one', () => {
  expect(importCycle([chunk('a', 'b', 'c'), chunk('b', 'c'), chunk('c'), { type: 'asset', fileName: 'd' }])).toBeNull();
});
