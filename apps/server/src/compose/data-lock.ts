import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';

/**
 * One server for one data folder. What a killed server left is taken over.
 *
 * @throws ConfigError while another server lives; answers the function that gives the folder back
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'server.pid');
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  if (pid > 0 && pid !== process.pid && (await isServer(pid, dataDir))) {
    throw new ConfigError(`Another server (process ${pid}) works in ${dataDir}. Stop it, or set OSPREY_DATA.`);
  }
  await writeFile(path, String(process.pid), { mode: 0o644 });
  return () => rm(path, { force: true });
}

/** The number of a dead process may belong to any other program by now. */
async function isServer(pid: number, dataDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const isDead = / Z /.test(state.slice(state.lastIndexOf(')')));
  return commandLine.includes('main.ts') && !isDead && dataDir !== '';
}
