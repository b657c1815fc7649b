import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../base/config/config.ts';

/**
 * One server for one data folder. The lock of a killed server is taken over.
 *
 * @throws ConfigError while another server lives, or if the folder is another account's; returns the function that
 * gives the folder back
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await requireAccount(dataDir);
  const path = join(dataDir, 'server.pid');
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // A release takes the lock over from the process that started it.
  const isOurs = pid === process.pid || pid === process.ppid;
  if (pid > 0 && !isOurs && (await isServer(pid, dataDir))) {
    throw new ConfigError(`Another server (process ${pid}) works in ${dataDir}. Stop it, or set OSPREY_DATA.`);
  }
  await writeFile(path, String(process.pid), { mode: 0o644 });
  return () => rm(path, { force: true });
}

/** The recorder listens in a folder of its own account alone, and what another one writes the first could not read. */
async function requireAccount(dataDir: string): Promise<void> {
  const live = await stat(join(dataDir, 'live')).catch(() => null);
  const account = process.getuid?.();
  if (live === null || live.uid === account) return;
  throw new ConfigError(
    `The data folder ${dataDir} is that of another account: its number is ${live.uid}, this one's is ${account}. ` +
      'Start the server with that account.',
  );
}

/** As it was built, or its sources; arguments end with zero. */
const MAIN = /[/\0]main\.[jt]s\0/;

/** The number of a dead process may belong to any other program by now. */
async function isServer(pid: number, dataDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const isDead = / Z /.test(state.slice(state.lastIndexOf(')')));
  return MAIN.test(commandLine) && !isDead && dataDir !== '';
}
