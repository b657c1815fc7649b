// node tools/mutants/main.ts [--seed N] [--each N] [--seconds N] [--tests N] [AREA ...]: introduces small random faults
// into the code, by area and seed, and reports which of them no test detects. Works in a copy of the checkout in the
// folder for temporary files.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { filesOf } from '../check-imports/imports.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { createReach, isTestFile } from './reach.ts';

/** Folders of each area. In a sample of all areas, `rights` gets twice as many faults. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  rights: ['apps/server/src/base/access', 'apps/server/src/base/items'],
  contract: ['packages/contract/src'],
  klv: ['packages/klv/src'],
  ais: ['packages/ais/src'],
  mpegts: ['packages/mpegts/src'],
  geo: ['packages/geo/src'],
  licence: ['apps/server/src/features/licence'],
  updates: ['apps/server/src/features/updates'],
  'case-package': ['packages/case-package/src'],
};
const PIECE = 4;
const PURE = 'vitest.packages.config.ts';
const WHOLE = 'vitest.config.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '240' },
    /** Maximum number of test files to run for a fault; of those that reach it, the nearest are chosen. */
    tests: { type: 'string', default: '16' },
    list: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '../..');
const sources = filesOf(root, ['*.ts', '*.tsx']);
const random = mulberry32(Number(values.seed));
const say = (line: string) => process.stdout.write(`${line}\n`);

type Drawn = { area: string; file: string; mutation: Mutation };

/** Returns a generator of pseudo-random numbers in [0, 1) that are the same for the same seed (mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function draw(area: string, number: number): Promise<Drawn[]> {
  const folders = AREAS[area] ?? [];
  const all: Drawn[] = [];
  for (const file of sources) {
    if (isTestFile(file) || file.endsWith('/testing.ts')) continue;
    if (!folders.some((folder) => file.startsWith(`${folder}/`))) continue;
    const source = await readFile(join(root, file), 'utf8');
    for (const mutation of mutationsOf(source)) all.push({ area, file, mutation });
  }
  const drawn = new Set<Drawn>();
  while (drawn.size < Math.min(number, all.length)) drawn.add(all[Math.floor(random() * all.length)]!);
  return [...drawn];
}

/**
 * Copies the checkout, so that faults do not affect it. Installed packages are shared with the checkout, except the
 * project's own.
 */
async function copyOf(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'osprey-mutants-'));
  for (const file of filesOf(root, ['.'])) await cp(join(root, file), join(copy, file));
  const modules = join(root, 'node_modules');
  await mkdir(join(copy, 'node_modules/@osprey'), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name !== '@osprey' && name !== '.cache') await symlink(join(modules, name), join(copy, 'node_modules', name));
  }
  for (const folder of ['packages', 'apps', 'tools']) {
    for (const name of await readdir(join(copy, folder))) {
      await symlink(join(copy, folder, name), join(copy, 'node_modules/@osprey', name)).catch(() => {});
    }
  }
  await symlink(join(root, 'dist'), join(copy, 'dist'));
  return copy;
}

type End = 'passed' | 'failed' | 'too long';

/** Runs test files of one configuration, excluding tests tagged `long`. */
function run(copy: string, config: string, tests: readonly string[], milliseconds: number): Promise<End> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const data = process.env.OSPREY_TEST_DATA ?? resolve(root, '../shared/data');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--config', config, '--bail=1', '--tags-filter=!long', ...tests],
    {
      cwd: copy,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, OSPREY_TEST_DATA: data, OSPREY_FUZZ_MS: '2000' },
    },
  );
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, milliseconds);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      done(isLate ? 'too long' : code === 0 ? 'passed' : 'failed');
    });
  });
}

const green = new Map<string, boolean>();

/** Whether tests pass without a fault: if they fail anyway, they have not detected the fault. */
async function isGreen(copy: string, config: string, tests: readonly string[], milliseconds: number): Promise<boolean> {
  const key = tests.join();
  const known = green.get(key) ?? (await run(copy, config, tests, milliseconds)) === 'passed';
  green.set(key, known);
  return known;
}

/**
 * Outcome for a fault, with the test files that detected it, or that passed despite it. `NOT TRIED`: no test passes
 * without the fault in the given time, or there is no test.
 */
type Verdict = { fate: 'killed' | 'too long' | 'SURVIVED' | 'NOT TRIED'; tests: readonly string[] };

async function verdictOn(copy: string, { file, mutation }: Drawn, tests: readonly string[]): Promise<Verdict> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  const changed = source.slice(0, mutation.start) + mutation.text + source.slice(mutation.end);
  const milliseconds = Number(values.seconds) * 1000;
  const until = performance.now() + milliseconds;
  const passed: string[] = [];
  try {
    for (const piece of piecesOf(tests)) {
      if (performance.now() >= until) break;
      const config = isPure(piece[0]!) ? PURE : WHOLE;
      await writeFile(path, changed);
      const end = await run(copy, config, piece, milliseconds);
      await writeFile(path, source);
      if (end === 'passed') passed.push(...piece);
      else if (await isGreen(copy, config, piece, milliseconds))
        return { fate: end === 'failed' ? 'killed' : 'too long', tests: piece };
    }
    return { fate: passed.length > 0 ? 'SURVIVED' : 'NOT TRIED', tests: passed };
  } finally {
    await writeFile(path, source);
  }
}

/** Splits tests into pieces, with those of the pure packages first, since they need no database. */
function piecesOf(tests: readonly string[]): string[][] {
  return [tests.filter(isPure), tests.filter((test) => !isPure(test))].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / PIECE) }, (_, i) => group.slice(i * PIECE, (i + 1) * PIECE)),
  );
}

function isPure(test: string): boolean {
  return test.startsWith('packages/');
}

/**
 * Returns the tests that reach a module: first those in the same folder, which may call it through the whole server,
 * then the nearest. For a module that runs as a separate program, the tests of its folder are used.
 */
function testsOf(file: string): string[] {
  const found = reach(file).filter(([test]) => !test.startsWith('apps/web/'));
  if (found.length === 0) return sources.filter((path) => isTestFile(path) && dirname(path) === dirname(file));
  const far = (test: string) => Number(dirname(test) !== dirname(file));
  const near = found.sort(([a, x], [b, y]) => far(a) - far(b) || x - y || shared(b, file) - shared(a, file));
  return near.slice(0, Number(values.tests)).map(([test]) => test);
}

/** Returns the length of the common prefix of two paths. */
function shared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function shown({ file, mutation }: Drawn, source: string): string {
  const line = source.slice(0, mutation.start).split('\n').length;
  const from = source.lastIndexOf('\n', mutation.start) + 1;
  const end = source.indexOf('\n', mutation.end);
  const text = source.slice(from, end < 0 ? undefined : end);
  const changed = text.slice(0, mutation.start - from) + mutation.text + text.slice(mutation.end - from);
  return `${file}:${line}\n    ${text.trim()}\n    ${changed.trim()}`;
}

const requested = positionals.length > 0 ? positionals : Object.keys(AREAS);
const drawn: Drawn[] = [];
for (const area of requested) drawn.push(...(await draw(area, Number(values.each) * (area === 'rights' ? 2 : 1))));
const reach = createReach(root, sources);
const copy = values.list ? null : await copyOf();
let survivors = 0;
let untried = 0;
try {
  for (const [i, one] of drawn.entries()) {
    const source = await readFile(join(root, one.file), 'utf8');
    const tests = testsOf(one.file);
    const { fate, tests: run } =
      copy === null ? { fate: 'drawn', tests: tests.slice(0, 1) } : await verdictOn(copy, one, tests);
    if (fate === 'SURVIVED') survivors++;
    if (fate === 'NOT TRIED') untried++;
    say(`${i + 1}/${drawn.length} ${fate} ${shown(one, source)}\n    ${run.join(' ')}`);
  }
} finally {
  if (copy !== null) await rm(copy, { recursive: true, force: true });
}
const killed = drawn.length - survivors - untried;
say(`${killed} killed, ${survivors} survived, ${untried} not tried (seed ${values.seed})`);
if (untried > 0) process.exitCode = 1;
