import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from '../check-imports/imports.ts';
import { oldWordsIn } from './old-words.ts';

const root = resolve(import.meta.dirname, '../..');

it('finds old words in variables, members, types and attributes, by each part of a name', () => {
  const source = [
    'const told = 1;',
    'type SoughtShape = { isToldTwice: boolean };',
    'row.AIS_LOOKERS;',
    'const view = <Panel onTell={() => null} />;',
    "const storyteller = { foretold: 'told', wanted: 2, updateTold: 3 };",
  ].join('\n');

  expect(oldWordsIn(source, true)).toEqual([
    { line: 1, name: 'told', advice: 'notified or reported' },
    { line: 2, name: 'SoughtShape', advice: 'target' },
    { line: 2, name: 'isToldTwice', advice: 'notified or reported' },
    { line: 3, name: 'AIS_LOOKERS', advice: 'viewers' },
    { line: 4, name: 'onTell', advice: 'notify or report' },
  ]);
});

it('finds none in the sources', () => {
  const files = filesOf(root, ['*.ts', '*.tsx']).filter((file) => !file.startsWith('tools/rename/'));
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

  expect(files.length).toBeGreaterThan(3000);
  const old = texts.flatMap(([file, text]) =>
    oldWordsIn(text, file.endsWith('x')).map(({ line, name, advice }) => `${file}:${line} ${name}: say ${advice}`),
  );
  expect(old).toEqual([]);
});
