import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { coverageProblems, readCoverage } from './coverage.ts';

const root = resolve(import.meta.dirname, '../..');

it('finds every test that docs/spec-coverage.md names', () => {
  const lines = readCoverage(readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8'));
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);

  expect(lines.filter((line) => line.ticked).length).toBeGreaterThan(0);
  expect(coverageProblems(lines, read)).toEqual([]);
});

it('complains of a missing file, a missing test, a tick without a test, and a repeated line', () => {
  const lines = readCoverage(
    [
      '- [x] S1-001 a.test.ts "is there"',
      '- [x] S1-002 a.test.ts "is not"',
      '- [x] S1-003',
      '- [x] S1-001 b.ts "x"',
    ].join('\n'),
  );
  const read = (path: string) => (path === 'a.test.ts' ? `it('is there', () => {})` : null);

  expect(coverageProblems(lines, read)).toEqual([
    'line 2: a.test.ts has no test named "is not"',
    'line 3: S1-003 is ticked without a test',
    'line 4: S1-001 stands twice',
    'line 4: b.ts does not exist',
  ]);
});
