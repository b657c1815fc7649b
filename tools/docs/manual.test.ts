import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { headingAnchor } from '@osprey/contract';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const manual = join(root, 'docs/manual');
const client = join(root, 'apps/web/src');
const menu = readFileSync(join(client, 'pages/menu.ts'), 'utf8');

/** Addresses below /help: each chapter, and each heading in it. */
function addresses(): Set<string> {
  const found = new Set(['/help/check']);
  for (const name of readdirSync(manual).filter((file) => file.endsWith('.md'))) {
    const chapter = `/help/${name.replace(/^\d+-|\.md$/g, '')}`;
    found.add(chapter);
    const text = readFileSync(join(manual, name), 'utf8');
    for (const [, heading = ''] of text.matchAll(/^#+ (.+)$/gm)) found.add(`${chapter}#${headingAnchor(heading)}`);
  }
  return found;
}

it('has a line for each menu entry on its first page, in the order of the menu', () => {
  const start = readFileSync(join(manual, '01-start.md'), 'utf8');
  const lines = [...start.slice(0, start.indexOf('\n## Words')).matchAll(/^\| (\w+)[^|]*\|/gm)].slice(1);
  const entries = [...menu.matchAll(/ label: '(\w+)'/g)].map(([, label]) => label);

  expect(entries).toHaveLength(14);
  expect(lines.map(([, entry]) => entry)).toEqual(entries);
});

it('has each chapter and heading that the client leads to', () => {
  const chapters = [...menu.matchAll(/^ {2}\['\/[a-z/]+', '([a-z-]+)'\],$/gm)].map(([, slug]) => `/help/${slug}`);
  const links = globSync('**/*.{ts,tsx}', { cwd: client, exclude: (path) => /\.test\.tsx?$/.test(path) }).flatMap(
    (file) => [...readFileSync(join(client, file), 'utf8').matchAll(/'(\/help\/[a-z0-9-]+(?:#[a-z0-9-]+)?)'/g)],
  );
  const known = addresses();

  expect([chapters.length > 10, links.length > 1]).toEqual([true, true]);
  expect([...chapters, ...links.map(([, address = '']) => address)].filter((address) => !known.has(address))).toEqual(
    [],
  );
});

it('gives each chapter a number of its own', () => {
  const numbers = readdirSync(manual).flatMap((name) => name.match(/^(\d+)-.*\.md$/)?.[1] ?? []);

  expect(numbers.length).toBeGreaterThan(20);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
