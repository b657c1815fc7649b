import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const pages = globSync('*.md', { cwd: folder }).filter((page) => page !== 'README.md');
/** Longer than this, a decision is two, or says what the code says. */
const LENGTH_MAX = 400;

it('keeps each decision within the length that a reader takes in at once', () => {
  const tooLong = pages.flatMap((page) =>
    readFileSync(join(folder, page), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- ') && line.length - 2 > LENGTH_MAX)
      .map((line) => `${page}: ${line.length - 2} characters: ${line.slice(0, 60)}`),
  );
  expect(tooLong).toEqual([]);
});

it('begins each decision with a bold noun', () => {
  const others = pages.flatMap((page) =>
    readFileSync(join(folder, page), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- ') && !/^- \*\*[^*]+\*\*/.test(line))
      .map((line) => `${page}: ${line.slice(0, 60)}`),
  );
  expect(others).toEqual([]);
});

it('lists each page of decisions in the index', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(pages.filter((page) => !index.includes(`](${basename(page)})`))).toEqual([]);
  expect(pages.length).toBeGreaterThan(10);
});
