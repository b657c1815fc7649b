import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../test-support/test-data.ts';

const root = resolve(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/formats.md'), 'utf8').split('## Files after public reports')[1] ?? '';
const rows = [...text.matchAll(/^\| (`[^|]+`) \|[^|]+\| `([^`]+)` \|$/gm)].map(([, files = '', test = '']) => ({
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  test,
}));

itWithData('has a row for each file after a public report', () => {
  const named = rows.flatMap(({ files }) => files).sort();
  expect(named).toEqual(
    readdirSync(testData('field3'))
      .filter((name) => name !== 'README.md')
      .sort(),
  );
});

it('names a test that names the file, for each file after a public report', () => {
  const unnamed = rows.flatMap(({ files, test }) => {
    const source = readFileSync(join(root, test), 'utf8');
    return files.filter((file) => !source.includes(file));
  });

  expect(rows.length).toBeGreaterThan(10);
  expect(unnamed).toEqual([]);
});
