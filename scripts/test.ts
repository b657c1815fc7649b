// npm test: everything that can be checked in twenty minutes on two processors, in a folder of its own.
//
//   npm test -- FILE ...     the named test files, or those whose path contains the text
//   npm test -- --long       the tests with the tag `long` too
//   npm test -- --only-long  those alone; of browser tests, each file with one of them, since its tests share a page
//   npm test -- --quick      no browser
//   npm test -- --verbose    names each skipped test; else they are counted by reason
//
// vitest.config.ts has the projects of tests without a browser, vitest.e2e.config.ts those with one. `everything` below puts
// them in order: which may run at the same time, and which at low priority.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { BUILT } from '../tools/test-support/product.ts';

const root = resolve(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');
const isLong = process.argv.includes('--long');
const isOnlyLong = process.argv.includes('--only-long');
const isVerbose = process.argv.includes('--verbose');
/** Test files, or parts of their paths, to run alone; empty: everything. */
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const filter = isOnlyLong ? ['--tags-filter=long'] : isLong ? [] : ['--tags-filter=!long'];
/** Folder of root's databases; each names the data folder that it belongs to. */
const ROOT_DATABASES = '/var/lib/osprey';

type Counts = { passed: number; failed: number; skipped: number };
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
/** Number of tests that their tag left out. */
let leftOut = 0;
const failures: string[] = [];
/** Names of the tests that were skipped, by reason. */
const skipped = new Map<string, string[]>();
/** Time of each part, to find slow ones. */
const times: string[] = [];

const say = (line: string) => process.stdout.write(`${line}\n`);
const bin = (name: string) => join(root, 'node_modules/.bin', name);

// Everything that the run writes is in this folder. PostgreSQL's account must be able to pass through it.
const folder = await mkdtemp(join(tmpdir(), 'osprey-run-'));
await chmod(folder, 0o755);

/** Settings of the operator must not reach the tests. */
function environment(): NodeJS.ProcessEnv {
  const retained = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('OSPREY_') || name.startsWith('OSPREY_TEST_'),
  );
  const shared = { TMPDIR: folder, OSPREY_TEST_RECORDINGS: join(folder, 'recordings') };
  return { ...Object.fromEntries(retained), ...BUILT, ...shared };
}

/** The function that ends each running part. */
const running = new Map<ChildProcess, () => void>();

type How = {
  /** Runs at low priority in parallel to others. Its output is shown in one piece at its end. */
  behind?: boolean;
};

/** Returns the code it ended with; null where it could not be started or was killed. */
function run(program: string, args: readonly string[], { behind = false }: How = {}): Promise<number | null> {
  const options = { cwd: root, env: environment() };
  const child = behind
    ? spawn(program, args, { ...options, detached: true })
    : spawn(program, args, { ...options, stdio: 'inherit' });
  running.set(child, () => void child.kill());
  if (behind && child.pid !== undefined) {
    const { pid } = child;
    giveWay(pid);
    // The child leads a process group of its own, which is ended from here alone.
    running.set(child, () => endGroup(pid));
  }
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
  child.once('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      process.stdout.write(Buffer.concat(said));
      resolve(code);
    });
  });
}

/**
 * Linux shares the processors among sessions first, and only then within each by priority: this one has its own, and
 * both its own priority and that of its session are the lowest.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // Not every kernel groups them, and it may have ended already.
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch {
    // The group has ended already.
  }
}

process.once('exit', () => {
  for (const end of running.values()) end();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A check of the whole tree counts as one test. */
async function check(name: string, program: string, args: readonly string[]): Promise<void> {
  const code = await run(program, args, { behind: true });
  say(`== ${name}: ${code === 0 ? 'good' : 'failed, as said above'}`);
  if (code === 0) total.passed += 1;
  else {
    total.failed += 1;
    failures.push(`failed: ${name}`);
  }
}

type Assertion = {
  fullName: string;
  status: string;
  failureMessages?: string[];
  /** `seen`: what was on the pages of a browser test when it failed. */
  meta?: { seen?: string };
  tags?: readonly string[];
};
type Report = { testResults: { name: string; status: string; assertionResults: Assertion[] }[] };

async function tests(name: string, args: readonly string[], how: How = {}): Promise<void> {
  if (!how.behind) say(`\n== ${name}`);
  const outputFile = join(folder, `${name.replaceAll(' ', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const begunMs = performance.now();
  const isBrowser = args.includes(BROWSER_CONFIG);
  const code = await run(
    bin('vitest'),
    ['run', ...args, ...(isOnlyLong && isBrowser ? [] : filter), ...reporters],
    how,
  );
  times.push(`${name} ${Math.round((performance.now() - begunMs) / 1000)} s`);
  if (how.behind) say(`== ${name}: these were`);
  const text = await readFile(outputFile, 'utf8').catch(() => null);
  const report = text === null ? null : (JSON.parse(text) as Report);
  const before = total.failed;
  for (const file of report?.testResults ?? []) countFile(file);
  // A run that broke outside its tests must not count as good.
  if (code !== 0 && total.failed === before) {
    total.failed += 1;
    failures.push(`failed: ${name}`);
  }
}

function countFile({ name, status, assertionResults }: Report['testResults'][number]): void {
  const file = name.slice(root.length + 1);
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    total.failed += 1;
    failures.push(`failed: ${file} could not be run`);
  }
  for (const test of assertionResults) {
    if (test.status === 'passed') total.passed += 1;
    else if (test.status === 'failed') {
      total.failed += 1;
      failures.push(`failed: ${file}: ${test.fullName}${whyOf(test)}`);
    } else if (isLeftOut(test)) leftOut += 1;
    else {
      total.skipped += 1;
      noteSkipped(skipReason(file), `${file}: ${test.fullName}`);
    }
  }
}

const isLeftOut = ({ tags = [] }: Assertion): boolean =>
  isOnlyLong ? !tags.includes('long') : !isLong && tags.includes('long');

/** The first lines of what a test said and saw: of a long run's output often only the end is kept. */
function whyOf({ failureMessages = [], meta }: Assertion): string {
  const said = stripVTControlCharacters(failureMessages.join('\n')).split('\n').slice(0, 12);
  const lines = [...said, ...(meta?.seen?.split('\n').slice(0, 80) ?? [])];
  return lines.map((line) => `\n    ${line.slice(0, 300)}`).join('');
}

function noteSkipped(reason: string, test: string): void {
  skipped.set(reason, [...(skipped.get(reason) ?? []), test]);
}

/** Tests are skipped for what the machine lacks. */
function skipReason(file: string): string {
  if (file.includes('livekit') && process.env.OSPREY_TEST_LIVEKIT === undefined) {
    return 'no LiveKit server: set OSPREY_TEST_LIVEKIT to its program';
  }
  if (file.includes('reference-systems')) return 'no GDAL (gdal-bin) to compare with';
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

async function checks(): Promise<void> {
  await check('types of server, packages and tools', bin('tsc'), ['-p', '.']);
  await check('types of the web client', bin('tsc'), ['-p', 'apps/web']);
  await check('lint', bin('biome'), ['check', '--error-on-warnings', '.']);
  await check('imports', process.execPath, ['tools/check-imports/main.ts']);
  await check('dead code', bin('knip'), []);
}

const only = (...projects: string[]) => projects.flatMap((project) => ['--project', project]);
const BROWSER_CONFIG = 'vitest.e2e.config.ts';
/** Arguments for browser tests. With `--only-long`, the files that have a long test. */
async function browser(): Promise<string[]> {
  const names = isOnlyLong ? (await readdir(join(root, 'e2e'))).filter((name) => name.endsWith('.spec.ts')) : [];
  const texts = await Promise.all(names.map((name) => readFile(join(root, 'e2e', name), 'utf8')));
  const withLong = names.filter((_, at) => texts[at]?.includes("tags: 'long'"));
  return ['--config', BROWSER_CONFIG, ...withLong.map((name) => `e2e/${name}`)];
}

const components = () => tests('component tests', only('page', 'replacing'), { behind: true });

/**
 * Parts that must keep up with a stream or a picture leave much of two processors idle. Parts without a clock run at
 * low priority in parallel.
 */
async function everything(): Promise<void> {
  await Promise.all([
    tests('streams in real time', only('alone', 'timed')),
    checks().then(() => tests('tests of packages and tools', only('packages'), { behind: true })),
  ]);
  await tests('unit and integration tests', only('server'));
  if (quick) await components();
  else {
    const all = await browser();
    await Promise.all([tests('browser tests that hold figures', [...all, ...only('alone')]), components()]);
    await tests('browser tests', [...all, ...only('together')]);
  }
}

/** Browser tests have a configuration of their own. */
async function these(names: readonly string[]): Promise<void> {
  const specs = names.filter((name) => name.startsWith('e2e/') || name.endsWith('.spec.ts'));
  const others = names.filter((name) => !specs.includes(name));
  if (others.length > 0) await tests('tests', others);
  if (specs.length > 0) await tests('browser tests', ['--config', BROWSER_CONFIG, ...specs]);
}

await (files.length > 0 ? these(files) : everything());

await removeDatabases();
await rm(folder, { recursive: true, force: true });
say('');
for (const failure of failures) say(failure);
for (const [reason, names] of skipped) {
  say(`skipped: ${names.length}: ${reason}`);
  if (isVerbose) for (const name of names) say(`    ${name}`);
}
say('');
say(times.join(', '));
if (leftOut > 0) say(isOnlyLong ? `${leftOut} more: npm test` : `${leftOut} more, which take long: npm test -- --long`);
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
