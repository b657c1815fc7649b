import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Names of users, usergroups and missions that a browser test makes through the API or in a dialog. */
const MADE = [
  /\badd(User|Group|Mission|Recorded)\((?:\{ name: )?'([^']+)'/g,
  /getByLabel\('(Name|Username)'\)\.fill\('([^']+)'/g,
];

it('finds no name twice among the browser tests that share a server', () => {
  // Which files meet on one server depends on the order of the run: a second name fails there with 409, now and then.
  const sharing = globSync('e2e/*.spec.ts', { cwd: root })
    .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }))
    .filter(({ text }) => text.includes('isShared: true'));
  const filesOf = new Map<string, Set<string>>();
  for (const { file, text } of sharing) {
    for (const [, , name] of MADE.flatMap((made) => [...text.matchAll(made)]))
      filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(file));
  }

  expect(sharing.length).toBeGreaterThan(10);
  expect(filesOf.size).toBeGreaterThan(30);
  expect([...filesOf].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
});
