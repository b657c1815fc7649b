import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { adviceOn, commentsOf, literalsOf, SHOWN_RULES } from './plain-words.ts';

const root = resolve(import.meta.dirname, '../..');
const SOURCES = '{apps,packages,tools,scripts,e2e}/**/*.{ts,tsx,mjs}';
const sources = globSync(SOURCES, { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) });

it('finds comments of one line, of several, and in JSX', () => {
  const source = [
    '/** One. */',
    'code(); // not this',
    '  // Two',
    '  // lines.',
    '/**',
    ' * A',
    ' * block.',
    ' */',
    '{/* Four. */}',
  ];
  expect(commentsOf(source.join('\n'))).toEqual([
    { line: 1, text: 'One.' },
    { line: 3, text: 'Two lines.' },
    { line: 5, text: 'A block.' },
    { line: 9, text: 'Four.' },
  ]);
});

it('names the plain form of a dialect phrase, and passes plain words', () => {
  expect(adviceOn('What the recorder holds.')).toBe('begin with the noun');
  expect(adviceOn('Kept. Whoever reads it waits.')).toBe('begin the sentence with its noun');
  expect(adviceOn('Made anew at each start.')).toContain('"again"');
  expect(adviceOn('An event tells of a change.')).toContain('"reports"');
  for (const plain of [
    'State of the recorder.',
    'Shows what changed.',
    'Lies in a row are caught.',
    'One of the two.',
  ]) {
    expect(adviceOn(plain), plain).toBeNull();
  }
});

it('finds plain words in the comments of all sources', () => {
  expect(sources.length).toBeGreaterThan(1000);
  const dialect = sources.flatMap((path) =>
    commentsOf(readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) => {
      const advice = adviceOn(text);
      return advice === null ? [] : [`${path}:${line} ${advice}: ${text.slice(0, 60)}`];
    }),
  );
  expect(dialect).toEqual([]);
});

it('reads texts as they are shown, without comments', () => {
  const source = [
    "// It's no text.",
    "const a = 'One, ' +",
    "  'joined';",
    'const b = "Two\'s";',
    'const c = `Three`;',
  ];
  expect(literalsOf(source.join('\n'))).toEqual(['One, joined', "Two's", 'Three']);
});

it('finds plain words on screens, in errors, in the manual and in the description of the API', () => {
  const glob = (pattern: string) => globSync(pattern, { cwd: root, exclude: (path) => /\.test\.ts$/.test(path) });
  const screens = glob('apps/web/src/**/*{texts,titles}.ts');
  const pages = [...glob('docs/manual/*.md'), 'README.md'];
  const shown = [
    ...[...screens, ...glob('packages/contract/src/**/*.ts')].map((path) => ({ path, split: literalsOf })),
    ...pages.map((path) => ({ path, split: (text: string) => text.split('\n') })),
  ];

  expect(SHOWN_RULES.length).toBeLessThanOrEqual(10);
  expect([screens.length > 60, pages.length > 25]).toEqual([true, true]);
  const refused = shown.flatMap(({ path, split }) =>
    split(readFileSync(join(root, path), 'utf8')).flatMap((text) => {
      const advice = adviceOn(text, SHOWN_RULES);
      return advice === null ? [] : [`${path}: ${advice}: ${text.slice(0, 100)}`];
    }),
  );
  expect(refused).toEqual([]);
});
