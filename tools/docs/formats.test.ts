import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

it('names a test that names the file, for each file after a public report', () => {
  const text = readFileSync(join(root, 'docs/formats.md'), 'utf8').split('## Files after public reports')[1] ?? '';
  const rows = [...text.matchAll(/^\| (`[^|]+`) \|[^|]+\| `([^`]+)` \|$/gm)];
  const unnamed = rows.flatMap(([, files = '', test = '']) => {
    const source = readFileSync(join(root, test), 'utf8');
    return [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file).filter((file) => !source.includes(file));
  });

  expect(rows.length).toBeGreaterThan(10);
  expect(unnamed).toEqual([]);
});
