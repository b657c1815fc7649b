import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findIndexProblems, INDEX_FILE, indexText } from './index-text.ts';

it('lists migrations in the order of their numbers, without itself', () => {
  const text = indexText(['0010-b.ts', 'index.ts', '0002-a-2.ts']);

  expect(text).toContain(`import * as m0002 from './0002-a-2.ts';\nimport * as m0010 from './0010-b.ts';\n`);
  expect(text).toContain(`= {\n  '0002-a-2': m0002,\n  '0010-b': m0010,\n};\n`);
  expect(text).not.toContain('index');
});

it('refuses two migrations with one number, and names that have none', () => {
  expect(() => indexText(['0002-a.ts', '0002-b.ts'])).toThrow('Two migrations have the number 0002');
  expect(() => indexText(['later.ts'])).toThrow('four digits');
});

it('holds the list in the product equal to its folder', () => {
  expect(findIndexProblems(resolve(import.meta.dirname, '../..'))).toEqual([]);
});

it('says so when a migration is not in the list', () => {
  const root = mkdtempSync(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = dirname(join(root, INDEX_FILE));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, INDEX_FILE), indexText(['0001-start.ts']));
  writeFileSync(join(folder, '0001-start.ts'), '');
  expect(findIndexProblems(root)).toEqual([]);

  writeFileSync(join(folder, '0002-next.ts'), '');
  expect(findIndexProblems(root)).toEqual([expect.stringContaining('npm run migrations')]);
});
