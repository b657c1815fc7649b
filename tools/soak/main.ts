import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUILT } from '../test-support/product.ts';

/** Settings for checks whose full size takes too long for `npm test`: there they run scaled down, here at full size. */
const WHOLE = {
  OSPREY_UPLOAD_TEST_BYTES: String(20 * 1024 ** 3),
  OSPREY_EXPORT_TEST_BYTES: String(10 * 1024 ** 3),
  OSPREY_ZIP_ENTRY_BYTES: String(5 * 1000 ** 3),
  OSPREY_FUZZ_MS: '60000',
  OSPREY_FUZZ_EVERY: '1',
  OSPREY_MATRIX_EVERY: '1',
  OSPREY_ODD_EVERY: '1',
  OSPREY_MUTATED_PACKETS: '1000000',
  OSPREY_KILLS: '20',
  OSPREY_SOAK_SECONDS: '600',
  OSPREY_AWAY_SECONDS: '60',
  OSPREY_LIVE_SECONDS: '60',
  OSPREY_RESTARTS: '5',
  OSPREY_UPLOADS: '50',
  OSPREY_SHUTDOWNS: '5',
  OSPREY_FRAMES: '100000',
  OSPREY_SOCKETS: '500',
  OSPREY_EVENTS: '1000',
  OSPREY_EVENT_MIB: '64',
  OSPREY_SLOW_CONNECTIONS: '2000',
  OSPREY_ATTACK_ROUNDS: '100',
  OSPREY_LISTENED_SECONDS: '30',
  OSPREY_TIMED_PAIRS: '300',
  OSPREY_DOWNLOAD_BYTES: String(2 * 1024 ** 3),
  /** Uses the required figures themselves as limits; in the test run, some limits are three times as large. */
  OSPREY_FIGURES: '1',
};
const root = resolve(import.meta.dirname, '../..');
const places = ['apps', 'packages', 'tools', 'e2e'];

/**
 * A test file, with the acceptance checks (T-…) that its tests name; `grows` if its size depends on one of the
 * settings.
 */
type Found = { file: string; checks: readonly string[]; grows: boolean };
/** One test file to run: either the tests of one check, or all of them. */
type Run = { file: string; check: string | null };

function findFiles(): Found[] {
  const files = places.flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(place, name)),
  );
  return files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const grows = Object.keys(WHOLE).some((setting) => text.includes(setting));
    return { file, checks: text.match(/T-\d{3}/g) ?? [], grows };
  });
}

const found = findFiles();
const large = found.filter(({ grows }) => grows);

/** Returns the runs for a command-line argument, which is either a check or part of the path of a file that grows. */
function runsOf(requested: string): Run[] {
  const isCheck = /^T-\d{3}$/.test(requested);
  if (!isCheck) return large.filter(({ file }) => file.includes(requested)).map(({ file }) => ({ file, check: null }));
  return found.filter(({ checks }) => checks.includes(requested)).map(({ file }) => ({ file, check: requested }));
}

const requested = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const unknown = requested.filter((one) => runsOf(one).length === 0);

if (process.argv.includes('--help') || unknown.length > 0) {
  if (unknown.length > 0) process.stderr.write(`No test for ${unknown.join(', ')}.\n`);
  process.stderr.write(
    'npm run soak -- [T-050 exports ...]   checks, or parts of the names of files that grow here; without any, all of ' +
      'these files; a setting of your own wins over ours\n',
  );
  const checks = new Set(found.flatMap((one) => one.checks));
  process.stderr.write(`growing:\n${large.map(({ file }) => `  ${file}\n`).join('')}`);
  process.stderr.write(`checks: ${[...checks].sort().join(', ')}\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const runs = requested.length > 0 ? requested.flatMap(runsOf) : large.map(({ file }) => ({ file, check: null }));
let failed = 0;
for (const { file, check } of runs) {
  const config = file.startsWith('e2e') ? 'vitest.e2e.config.ts' : 'vitest.config.ts';
  process.stdout.write(`\n== ${check ?? 'all'} ${file}\n`);
  const vitest = join(root, 'node_modules/.bin/vitest');
  const named = check === null ? [] : ['-t', check];
  const { status } = spawnSync(
    vitest,
    ['run', '--config', config, '--testTimeout=0', '--reporter=verbose', ...named, file],
    { cwd: root, stdio: 'inherit', env: { ...BUILT, ...WHOLE, ...process.env } },
  );
  if (status !== 0) failed += 1;
}
process.stdout.write(`\n${runs.length} runs, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
