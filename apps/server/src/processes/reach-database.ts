import type { Config } from '../base/config/config.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import { hasCluster, runningPostgres, startPostgres } from '../base/db/postgres-server.ts';
import { requireTogether } from './installation.ts';

export const DATABASE = 'osprey';

export type Reached = { url: string; leave: () => Promise<void> };

/** For commands: the running server's database, or our own started for the moment. */
export async function reachDatabase(config: Readonly<Config>): Promise<Reached> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, leave: async () => undefined };
  const folder = databaseFolder(config);
  // A command makes no new database for recordings that have one elsewhere.
  if (!hasCluster(folder)) await requireTogether(config, null);
  const running = await runningPostgres(folder);
  if (running) return { url: running(DATABASE), leave: async () => undefined };
  const server = await startPostgres({ folder });
  return { url: server.url(DATABASE), leave: server.stop };
}
