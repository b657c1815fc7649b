import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mainScript } from './product.ts';

export type RunningServer = {
  /** http://127.0.0.1:port */
  address: string;
  dataFolder: string;
  pid: () => number;
  /**
   * Duration of its first start in milliseconds, which is longer on a busy machine; time limits of tests are derived
   * from it.
   */
  startMs: number;
  /** Returns everything that the server has printed so far. */
  output: () => string;
  /** Stops the processes and keeps the data; `startAgain` continues with it on the same port. */
  halt: () => Promise<void>;
  startAgain: () => Promise<void>;
  /** Ends the processes and removes the data. */
  stop: () => Promise<void>;
};

export const ADMIN = { username: 'admin', password: 'Falcon-over-Kea-7' };

/** Matches the location of the database of a server that runs as root, as printed at its start. */
const DATABASE_FOLDER = /^The database lies in (\/var\/lib\/osprey\/[0-9a-f]+)\.$/m;

/** Starts the product as a new user would: in a separate process, with an empty data folder, on a free port. */
export async function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'osprey-e2e-'));
  const settings = { OSPREY_ADMIN_PASSWORD: ADMIN.password, OSPREY_PORT: '0', OSPREY_DATA: dataFolder, ...env };
  let printed = '';
  const onText = (text: string) => {
    printed += text;
  };
  const begunMs = performance.now();
  let running = await start(settings, onText);
  const startMs = performance.now() - begunMs;
  const { address } = running;
  return {
    address,
    dataFolder,
    pid: () => running.child.pid!,
    startMs,
    output: () => printed,
    halt: () => end(running.child),
    async startAgain() {
      running = await start({ ...settings, OSPREY_PORT: new URL(address).port }, onText);
    },
    async stop() {
      await end(running.child);
      rmSync(dataFolder, { recursive: true, force: true });
      const database = DATABASE_FOLDER.exec(printed)?.[1];
      if (database !== undefined) rmSync(database, { recursive: true, force: true });
    },
  };
}

async function start(
  settings: Record<string, string>,
  onText: (text: string) => void,
): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [mainScript()], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const address = await new Promise<string>((resolveAddress, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      onText(chunk.toString());
      const found = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output);
      if (found) resolveAddress(found[0].replace('localhost', '127.0.0.1'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready:\n${output}`)));
  });
  return { child, address };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolveEnd) => child.once('exit', resolveEnd));
  child.kill('SIGTERM');
  await ended;
}
