import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Rename, renamed, returning } from './rename.ts';

/**
 * Renames identifiers in all source files by the named tables, such as `node tools/rename/main.ts notices`, and changes
 * comments to say that functions return. It can be run repeatedly, and on work that began before the names changed.
 * `--dry` only lists the files.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { dry: { type: 'boolean' } } });
const here = import.meta.dirname;
const root = resolve(here, '../..');
const tables = readdirSync(join(here, 'tables'))
  .map((name) => name.replace(/\.ts$/, ''))
  .filter((name) => positionals.includes(name))
  .sort();

let changed = 0;
const problems: string[] = [];
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const lines: Rename[] = [];
for (const name of tables) lines.push(...((await import(`./tables/${name}.ts`)) as { table: Rename[] }).table);
for (const path of files.filter((file) => !file.startsWith('tools/rename/'))) {
  const text = readFileSync(join(root, path), 'utf8');
  try {
    const now = returning(renamed(path, text, lines));
    if (now === text) continue;
    changed += 1;
    if (values.dry) process.stdout.write(`${path}\n`);
    else writeFileSync(join(root, path), now);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `${changed} files changed by ${tables.join(', ') || 'no table'}; ${problems.length} left as they are\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
