import { resolve } from 'node:path';
import { findProblems } from './imports.ts';

const problems = findProblems(resolve(import.meta.dirname, '../..'));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'imports: in order\n' : `imports: ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
