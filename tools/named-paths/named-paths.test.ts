import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { knipEntries, lostNames, namedIn, textsOf } from './named-paths.ts';

const root = resolve(import.meta.dirname, '../..');

it('finds a file for each path that settings, scripts, tests, tools and documents name', () => {
  const names = textsOf(root).flatMap((file) => namedIn(file, readFileSync(join(root, file), 'utf8')));

  expect(names.length).toBeGreaterThan(900);
  expect(lostNames(root, [...names, ...knipEntries(root)])).toEqual([]);
});

it('complains of a path, a pattern, a module of the client and a replaced module that are not there', () => {
  const text = [
    `const alone = ['apps/server/src/{main,gone}.ts', 'apps/server/src/main.ts'];`,
    `const PAGES = ['/src/pages/GonePage.tsx', '/src/main.tsx'];`,
    `vi.doMock('../gone.ts', () => ({})); vi.mock('./rules.ts');`,
    `import { x } from '@osprey/tools/nothing'; // and https://example.org/tools/none`,
  ].join('\n');

  expect(lostNames(root, namedIn('tools/check-imports/text.ts', text))).toEqual([
    'tools/check-imports/text.ts:1: apps/server/src/gone.ts matches no file',
    'tools/check-imports/text.ts:2: apps/web/src/pages/GonePage.tsx matches no file',
    'tools/check-imports/text.ts:3: tools/gone.ts matches no file',
  ]);
  expect(
    lostNames(root, namedIn('docs/text.md', 'See `base/gone.ts`, not `base/config/config.ts` or `ui/Icon.tsx`.')),
  ).toEqual(['docs/text.md:1: apps/*/src/base/gone.ts matches no file']);
});
