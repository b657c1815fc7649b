import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** In place of npm: takes what is installed away, says so, and installs it again once the file `go` is there. */
const NPM = `#!/bin/sh
rm -rf node_modules
echo begun >> npm.log
while [ ! -e go ]; do read -r line < gate; done
mkdir -p node_modules/some
echo '{}' > node_modules/some/package.json
echo '{ "packages": { "node_modules/some": {} } }' > node_modules/.package-lock.json
echo ended >> npm.log
`;

let folder: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'osprey-ensure-'));
  await mkdir(join(folder, 'scripts'));
  await mkdir(join(folder, 'bin'));
  await copyFile(join(import.meta.dirname, 'ensure.mjs'), join(folder, 'scripts/ensure.mjs'));
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(folder, 'bin/npm'), NPM);
  await chmod(join(folder, 'bin/npm'), 0o755);
  const fifo = spawn('mkfifo', [join(folder, 'gate')]);
  await once(fifo, 'exit');
});

afterEach(async () => {
  for (const { pid } of started.splice(0)) endGroup(pid);
  await rm(folder, { recursive: true, force: true });
});

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** `node scripts/ensure.mjs packages` in a process group of its own, with all that it has said so far. */
function ensure() {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  const child = spawn(process.execPath, ['scripts/ensure.mjs', 'packages'], { cwd: folder, env, detached: true });
  started.push(child);
  const said = { text: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    said.text += chunk.toString();
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, code };
}

const log = async () => (await readFile(join(folder, 'npm.log'), 'utf8').catch(() => '')).split('\n').slice(0, -1);
const hasBegun = (times: number) =>
  expect.poll(async () => (await log()).filter((line) => line === 'begun').length, { timeout: 30_000 }).toBe(times);
const waits = ({ said }: ReturnType<typeof ensure>) =>
  expect.poll(() => said.text, { timeout: 30_000 }).toContain('Another npm command is setting up this folder.');

/** Opens the gate: the npm that waits there goes on, and each later one passes. */
async function letNpmGoOn(): Promise<void> {
  await writeFile(join(folder, 'go'), '');
  await writeFile(join(folder, 'gate'), '\n');
}

const stamp = () => existsSync(join(folder, 'node_modules/.osprey-lock-sha256'));

it('installs once for two at a time: the second says that it waits', async () => {
  const first = ensure();
  await hasBegun(1);
  const second = ensure();
  await waits(second);
  expect(stamp()).toBe(false);
  await letNpmGoOn();

  expect([await first.code, await second.code]).toEqual([0, 0]);
  expect(await log()).toEqual(['begun', 'ended']);
  expect(stamp()).toBe(true);
});

it('begins again after one that was killed together with its npm', async () => {
  const first = ensure();
  await hasBegun(1);
  endGroup(first.child.pid);
  await first.code;
  const second = ensure();
  await hasBegun(2);
  await letNpmGoOn();

  expect(await second.code).toBe(0);
  expect(second.said.text).not.toContain('Another npm command');
  expect(await log()).toEqual(['begun', 'begun', 'ended']);
  expect(stamp()).toBe(true);
});

it('waits for the npm of one that was killed alone, and does not trust what it left', async () => {
  const first = ensure();
  await hasBegun(1);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = ensure();
  await waits(second);
  await letNpmGoOn();

  expect(await second.code).toBe(0);
  expect(await log()).toEqual(['begun', 'ended', 'begun', 'ended']);
  expect(stamp()).toBe(true);
});

it('installs again if a package of a finished installation is gone, else at once ends', async () => {
  await writeFile(join(folder, 'go'), '');
  expect(await ensure().code).toBe(0);
  expect(await ensure().code).toBe(0);
  expect(await log()).toEqual(['begun', 'ended']);

  await rm(join(folder, 'node_modules/some'), { recursive: true });
  expect(await ensure().code).toBe(0);
  expect(await log()).toEqual(['begun', 'ended', 'begun', 'ended']);
});

it('leaves no stamp of an installation that failed', async () => {
  await writeFile(join(folder, 'go'), '');
  expect(await ensure().code).toBe(0);
  await writeFile(join(folder, 'package-lock.json'), '{ "changed": true }');
  await writeFile(join(folder, 'bin/npm'), '#!/bin/sh\nexit 1\n');
  expect(await ensure().code).toBe(1);
  expect(stamp()).toBe(false);
});
