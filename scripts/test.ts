// npm test: everything that can be checked, in a folder of its own; `--quick` leaves the browser out.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');
/** Where root's databases lie; each names the data folder that it belongs to. */
const ROOT_DATABASES = '/var/lib/osprey';

type Counts = { passed: number; failed: number; skipped: number };
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const notes: string[] = [];

const say = (line: string) => process.stdout.write(`${line}\n`);
const bin = (name: string) => join(root, 'node_modules/.bin', name);

// Under this folder lies everything that the run writes. PostgreSQL's account must be able to pass through it.
const folder = await mkdtemp(join(tmpdir(), 'osprey-run-'));
await chmod(folder, 0o755);

/** Settings of the operator must not reach the tests. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('OSPREY_') || name.startsWith('OSPREY_TEST_'),
  );
  return { ...Object.fromEntries(kept), TMPDIR: folder };
}

function run(program: string, args: readonly string[]): SpawnSyncReturns<Buffer> {
  return spawnSync(program, args, { cwd: root, env: environment(), stdio: 'inherit' });
}

/** A check of the whole tree counts as one test. What it says is shown in one piece: others run beside it. */
function check(name: string, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: root, env: environment() });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  child.once('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      say(`\n== ${name}`);
      process.stdout.write(Buffer.concat(said));
      if (code === 0) total.passed += 1;
      else {
        total.failed += 1;
        notes.push(`failed: ${name}`);
      }
      resolve();
    });
  });
}

type Assertion = {
  fullName: string;
  status: string;
  failureMessages?: string[];
  meta?: { skipReason?: string };
};
type Report = { testResults: { name: string; status: string; assertionResults: Assertion[] }[] };

async function tests(name: string, args: readonly string[]): Promise<void> {
  say(`\n== ${name}`);
  const outputFile = join(folder, `${name.replaceAll(' ', '-')}.json`);
  const { status } = run(bin('vitest'), [
    'run',
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${outputFile}`,
  ]);
  const text = await readFile(outputFile, 'utf8').catch(() => null);
  const report = text === null ? null : (JSON.parse(text) as Report);
  const before = total.failed;
  for (const file of report?.testResults ?? []) countFile(file);
  // A run that broke outside its tests must not count as good.
  if (status !== 0 && total.failed === before) {
    total.failed += 1;
    notes.push(`failed: ${name}`);
  }
}

function countFile({ name, status, assertionResults }: Report['testResults'][number]): void {
  const file = name.slice(root.length + 1);
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    total.failed += 1;
    notes.push(`failed: ${file} could not be run`);
  }
  for (const test of assertionResults) {
    if (test.status === 'passed') total.passed += 1;
    else if (test.status === 'failed') {
      total.failed += 1;
      notes.push(`failed: ${file}: ${test.fullName}${whyOf(test)}`);
    } else {
      total.skipped += 1;
      notes.push(`skipped: ${file}: ${test.fullName} (${test.meta?.skipReason ?? skipReason()})`);
    }
  }
}

/** The first lines of what a test said: of a long run's output often only the end is kept. */
function whyOf({ failureMessages = [] }: Assertion): string {
  const lines = stripVTControlCharacters(failureMessages.join('\n')).split('\n').slice(0, 12);
  return lines.map((line) => `\n    ${line.slice(0, 300)}`).join('');
}

/** Tests are skipped for what the machine lacks. */
function skipReason(): string {
  if (!existsSync(process.env.OSPREY_TEST_DATA ?? join(root, '../shared/data'))) {
    return 'no recordings: set OSPREY_TEST_DATA to their folder';
  }
  return process.getuid?.() === 0 ? 'not possible on this machine' : 'needs root';
}

async function removeDatabases(): Promise<void> {
  for (const name of await readdir(ROOT_DATABASES).catch(() => [])) {
    const owner = await readFile(join(ROOT_DATABASES, name, 'data-folder'), 'utf8').catch(() => '');
    if (owner.startsWith(`${folder}/`)) await rm(join(ROOT_DATABASES, name), { recursive: true, force: true });
  }
}

await Promise.all([
  check('types of server, packages and tools', bin('tsc'), ['-p', '.']),
  check('types of the web client', bin('tsc'), ['-p', 'apps/web']),
]);
await Promise.all([
  check('lint', bin('biome'), ['check', '--error-on-warnings', '.']),
  check('imports', process.execPath, ['tools/check-imports/main.ts']),
  check('dead code', bin('knip'), []),
]);
await tests('unit, integration and component tests', []);
if (!quick && existsSync(join(root, 'vitest.e2e.config.ts'))) {
  await tests('browser tests', ['--config', 'vitest.e2e.config.ts']);
}

await removeDatabases();
await rm(folder, { recursive: true, force: true });
say('');
for (const note of notes) say(note);
say('');
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
