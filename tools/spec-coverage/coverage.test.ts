import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { coverageProblems, readCoverage } from './coverage.ts';

const root = resolve(import.meta.dirname, '../..');
/** Lines whose tick rests on the name of a test alone. Only to be shortened. */
const byName = readFileSync(join(import.meta.dirname, 'by-name.txt'), 'utf8')
  .trim()
  .split(/\s+/);
const BY_NAME_MAX = 970;

it('finds every test and every mark of docs/spec-coverage.md', () => {
  const lines = readCoverage(readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8'));
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);

  expect(lines.filter((line) => line.ticked).length).toBeGreaterThan(0);
  expect(coverageProblems(lines, new Set(byName), read)).toEqual([]);
  expect(byName.length).toBeLessThanOrEqual(BY_NAME_MAX);
});

const TESTS = `
it('is there', () => {
  expect(1).toBe(1); // S1-001 S1-005
});

it.each([1, 2])('is another', { tags: 'long' }, () => {
  expect([
    'S1-007',
  ]).toEqual([]);
  expect(2).toBe(2); // S1-002
});

describe('a part', () => {
  it.skipIf(false)(
    'has a line of its own',
    async () => {
      expect(3).toBe(3); // S1-006
    },
  );
  // S1-009
});
`;
const read = (path: string) => (path === 'a.test.ts' ? TESTS : path === 'docs/decisions/a.md' ? '' : null);
const problems = (markdown: string[], names: string[] = []) =>
  coverageProblems(readCoverage(markdown.join('\n')), new Set(names), read);

it('complains of a missing file, a missing test, a tick without a test, and a repeated line', () => {
  const markdown = [
    '- [x] S1-001 a.test.ts "is there"',
    '- [x] S1-002 a.test.ts "is not"',
    '- [x] S1-003',
    '- [x] S1-001 b.ts "x"',
    '- [x] S1-004 b.ts "x"',
  ];
  expect(problems(markdown)).toEqual([
    'line 2: a.test.ts has no test named "is not"',
    'line 3: S1-003 is ticked without a test',
    'line 4: S1-001 stands twice',
    'line 5: b.ts does not exist',
  ]);
});

it('wants the number of the line in the body of the test, at the end of a line', () => {
  const good = [
    '- [x] S1-001 a.test.ts "is there"',
    '- [x] S1-005 a.test.ts "is there"',
    '- [x] S1-002 a.test.ts "is another"',
    '- [x] S1-006 a.test.ts "has a line of its own"',
  ];
  expect(problems(good)).toEqual([]);

  const elsewhere = [
    '- [x] S1-002 a.test.ts "is there"',
    '- [x] S1-007 a.test.ts "is another"',
    '- [x] S1-009 a.test.ts "has a line of its own"',
  ];
  expect(problems(elsewhere)).toEqual([
    'line 1: no line of "is there" in a.test.ts ends in // S1-002',
    'line 2: no line of "is another" in a.test.ts ends in // S1-007',
    'line 3: no line of "has a line of its own" in a.test.ts ends in // S1-009',
  ]);
  expect(problems(elsewhere, ['S1-002', 'S1-007', 'S1-009'])).toEqual([]);
});

it('wants a reason for each line without a tick, and a link to what is decided otherwise', () => {
  const markdown = [
    '- [ ] S1-001 has no screen yet',
    '- [ ] S1-002 decided otherwise: [why](decisions/a.md)',
    '- [ ] S1-003',
    '- [ ] S1-004 decided otherwise',
    '- [ ] S1-005 decided otherwise: [why](decisions/b.md#part)',
    '- [ ] S1-006 has no screen yet',
  ];
  expect(problems(markdown, ['S1-006'])).toEqual([
    'line 3: S1-003 has neither a tick nor a reason',
    'line 4: S1-004 is decided otherwise without a link to the reason',
    'line 5: docs/decisions/b.md does not exist',
    'line 6: S1-006 is not ticked: take it out of by-name.txt',
  ]);
});
