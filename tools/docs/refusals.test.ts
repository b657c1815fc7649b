import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { refusalsOf } from './refusals.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Readers of files that users bring. */
const READERS = [
  'apps/server/src/features/annotations/reader/**/*.ts',
  'apps/server/src/base/formats/**/*.ts',
  'apps/server/src/media/formats/sidecars/**/*.ts',
  'apps/server/src/media/formats/containers/survey.ts',
  'apps/server/src/media/index/build-file-index.ts',
  'apps/server/src/uploads/sniff.ts',
];
const CHAPTERS = ['04-adding', '18-ships', '19-annotations'];

it('finds the sentences of refusals, without what differs from file to file', () => {
  const source = [
    "throw new BadFile('it is too large');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source.
    'throw refusal(`its video is ${name}, which is not read: convert it`);',
    "const GPSD =\n  'it is JSON of gpsd; record sentences';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source.
    'throw refused(`${missing}; more`);',
  ];
  expect(refusalsOf(source.join('\n'))).toEqual([
    'it is too large',
    'its video is …, which is not read',
    'it is JSON of gpsd',
  ]);
});

it('has what to do about each refusal of a file in the manual', () => {
  const manual = CHAPTERS.map((name) => read(`docs/manual/${name}.md`)).join('\n');
  const sources = READERS.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: (path) => /\.test\.ts$/.test(path) }),
  );
  const refusals = new Set(sources.flatMap((path) => refusalsOf(read(path))));

  expect(refusals.size).toBeGreaterThan(35);
  expect([...refusals].filter((text) => !manual.includes(text))).toEqual([]);
});
