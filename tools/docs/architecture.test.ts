import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const foldersOf = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

it('names each package, and each folder of server and client', () => {
  const server = ['', 'base', 'features', 'live', 'media', 'recorder'];
  const folders = [
    ...foldersOf('packages'),
    ...foldersOf('apps/web/src'),
    ...server.flatMap((path) => foldersOf(join('apps/server/src', path))),
  ];
  const isNamed = (folder: string) => new RegExp(`(?<![\\w-])${folder}(?![\\w-])`).test(text);

  expect(folders.length).toBeGreaterThan(80);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});
