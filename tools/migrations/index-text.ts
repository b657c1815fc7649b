import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'apps/server/src/base/db/migrations';

/** Path of the list of migrations, from the root of the checkout. */
export const INDEX_FILE = `${FOLDER}/index.ts`;

const HEAD = `// Written by \`npm run migrations\` from the files of this folder: the server is one bundle, which has no folder to read.
// A number that is missing was reserved for a change that in the end needed no migration.
import type { Migration } from 'kysely/migration';
`;

/**
 * Returns the text of the list for these files of the folder.
 *
 * @throws Error when a file is not named like a migration, or two have the same number
 */
export function indexText(files: readonly string[]): string {
  const names = files
    .filter((file) => file !== 'index.ts')
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
  const numbers = names.map((name) => /^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1] ?? refuse(name));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}`);
  const imports = names.map((name, index) => `import * as m${numbers[index]} from './${name}.ts';\n`);
  const entries = names.map((name, index) => `  '${name}': m${numbers[index]},\n`);
  return `${HEAD}${imports.join('')}
/** Migrations in the order of their numbers; forward only. */
export const migrations: Record<string, Migration> = {
${entries.join('')}};
`;
}

function refuse(name: string): never {
  throw new Error(`The name of a migration is four digits, a hyphen and lower-case words: ${name}`);
}

/** Returns the list that matches the files of the folder. */
export const requestedIndex = (root: string): string => indexText(readdirSync(join(root, FOLDER)));

/** Returns a sentence if the list does not match the files of the folder. */
export function findIndexProblems(root: string): string[] {
  const written = readFileSync(join(root, INDEX_FILE), 'utf8');
  return written === requestedIndex(root)
    ? []
    : [`${INDEX_FILE}: is not what its folder says, and is written by: npm run migrations`];
}
