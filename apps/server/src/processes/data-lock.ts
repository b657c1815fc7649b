import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../base/config/config.ts';

/**
 * Locks a data folder for one server. The lock of a killed server is taken over.
 *
 * @returns a function that releases the lock
 * @throws ConfigError while another server runs, or if the folder belongs to another account
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await requireAccount(dataDir);
  const path = join(dataDir, 'server.pid');
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // A release may take over the lock of the process that started it.
  const isOurs = pid === process.pid || pid === process.ppid;
  if (pid > 0 && !isOurs && (await isServer(pid, dataDir))) {
    throw new ConfigError(`Another server (process ${pid}) works in ${dataDir}. Stop it, or set OSPREY_DATA.`);
  }
  await writeFile(path, String(process.pid), { mode: 0o644 });
  return () => rm(path, { force: true });
}

/**
 * Requires that this account owns the folder: the recorder's socket folder is private to one account, and the owning
 * account could not read files written by another one.
 */
async function requireAccount(dataDir: string): Promise<void> {
  const live = await stat(join(dataDir, 'live')).catch(() => null);
  const account = process.getuid?.();
  if (live === null || live.uid === account) return;
  throw new ConfigError(
    `The data folder ${dataDir} is that of another account: its number is ${live.uid}, this one's is ${account}. ` +
      'Start the server with that account.',
  );
}

/** Matches the path of the main script, built or as source, in a command line whose arguments end with a zero byte. */
const MAIN = /[/\0]main\.[jt]s\0/;

/**
 * Returns whether a pid belongs to a server, since the pid of a dead process may have been reused by another program.
 */
async function isServer(pid: number, dataDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const isDead = / Z /.test(state.slice(state.lastIndexOf(')')));
  return MAIN.test(commandLine) && !isDead && dataDir !== '';
}
