import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { copyCluster } from '../../../tools/test-support/copy-cluster.ts';
import { databaseRoot } from '../../../tools/test-support/memory-folder.ts';
import { mainScript } from '../../../tools/test-support/product.ts';
import { databaseFolder } from '../src/base/db/database-folder.ts';
import { atEnd } from './cleanup.ts';

const READY = /Osprey is ready: (\S+)/;
const SETUP = /Set it up here: \S+#code=(\S+)/;

export type RunningServer = {
  address: string;
  setupCode: string | null;
  process: ChildProcess;
  output: () => string;
  /** SIGTERM; answers code and milliseconds. */
  stop: () => Promise<{ code: number | null; ms: number }>;
};

/**
 * A data folder that PostgreSQL's account can reach, removed at the end with the database that belongs to it. Tests of
 * what outlives a blow give one on a disk.
 */
export async function dataFolder(parent = databaseRoot()): Promise<string> {
  const dataDir = await mkdtemp(join(parent, 'osprey-main-'));
  await chmod(dataDir, 0o755);
  atEnd(async () => {
    await rm(databaseFolder({ dataDir, databaseDir: null }), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** The same with a database in it that is as a first start leaves it, but without any account: its server is ready sooner. */
export async function readyDataFolder(): Promise<string> {
  const dataDir = await dataFolder();
  await copyCluster(inject('readyCluster').folder, databaseFolder({ dataDir, databaseDir: null }));
  return dataDir;
}

/** Runs the server as `npm start` does, until it ends by itself; returns its output. */
export function runToEnd(args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [mainScript(), ...args], { env: { PATH: process.env.PATH, ...env } });
    const output = collect(child);
    child.once('exit', (code) => resolve({ code, output: output() }));
  });
}

export type RunAs = {
  /** By another account; only root may ask for this. */
  account?: { uid: number; gid: number };
  /** Program and arguments that start the server in their turn. */
  wrapper?: readonly string[];
};

/** The whole server with its database, on a free port. */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  { account = undefined, wrapper = [] }: RunAs = {},
): Promise<RunningServer> {
  const [program = '', ...args] = [...wrapper, process.execPath, mainScript()];
  const child = spawn(program, args, {
    ...account,
    env: { PATH: process.env.PATH, OSPREY_DATA: dataDir, OSPREY_PORT: '0', ...env },
  });
  const output = collect(child);
  async function stop() {
    const started = performance.now();
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    return { code: await ended, ms: performance.now() - started };
  }
  // Not by force: its database must end with it.
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop();
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = READY.exec(output())?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(output())));
  });
  return { address, setupCode: SETUP.exec(output())?.[1] ?? null, process: child, output, stop };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
