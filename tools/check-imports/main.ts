import { resolve } from 'node:path';
import { findIndexProblems } from '../migrations/index-text.ts';
import { findProblems } from './imports.ts';

const root = resolve(import.meta.dirname, '../..');
const problems = [...findProblems(root), ...findIndexProblems(root)];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'imports: in order\n' : `imports: ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
