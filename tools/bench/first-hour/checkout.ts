import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve as pathOf } from 'node:path';

const ROOT = pathOf(import.meta.dirname, '../../..');

export const git = (...words: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' }).trim();

type Started = {
  address: string;
  /** Link, printed on the console, for creating the first account. */
  setUp: string;
  /** Time from the start of the clone until the server reported that it is ready, in seconds. */
  readySeconds: number;
  stop: () => Promise<void>;
};

/** Clones a commit and starts it as described in the README, with its own data folder and database. */
export async function cloneAndStart(commit: string): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-first-hour-'));
  const checkout = join(folder, 'osprey');
  // PostgreSQL does not run as root: if this process does, the database is placed in a folder that the PostgreSQL
  // account can access.
  const database = process.getuid?.() === 0 ? `/var/lib/osprey/first-hour-${process.pid}` : join(folder, 'postgres');
  const begun = performance.now();
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, checkout]);
  execFileSync('git', ['-C', checkout, 'checkout', '--quiet', commit]);
  const { OSPREY_TEST_MAIN: _main, ...env } = process.env;
  const server = spawn('npm', ['start'], {
    cwd: checkout,
    // Run in a separate process group, so that npm and the processes it starts end together.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, OSPREY_DATA: join(folder, 'data'), OSPREY_DATABASE_DIR: database, OSPREY_PORT: '0' },
  });
  const stop = async () => {
    await end(server);
    await Promise.all([folder, database].map((path) => rm(path, { recursive: true, force: true })));
  };
  try {
    const { address, setUp } = await untilReady(server);
    return { address, setUp, readySeconds: (performance.now() - begun) / 1000, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits until the server is ready. Later output is still read and discarded, since a closed or full pipe would block
 * the server.
 */
function untilReady(server: ChildProcess): Promise<Pick<Started, 'address' | 'setUp'>> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout!.on('data', (part) => {
      said = (said + String(part)).slice(-100_000);
      const address = /Osprey is ready: (\S+)/.exec(said)?.[1];
      const setUp = /https?:\/\/\S+\/setup#code=\S+/.exec(said)?.[0];
      if (address !== undefined && setUp !== undefined) resolve({ address: local(address), setUp: local(setUp) });
    });
    server.once('exit', () => reject(new Error(`The server did not start: ${said.slice(-2000)}`)));
  });
}

const local = (link: string): string => link.replace('localhost', '127.0.0.1');

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const ended = once(server, 'exit');
  process.kill(-server.pid, 'SIGTERM');
  await ended;
}
