import type { Config } from '../base/config/config.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import { hasCluster, runningPostgres, startPostgres } from '../base/db/postgres-server.ts';
import { requireTogether } from './installation.ts';

export const DATABASE = 'osprey';

export type Reached = { url: string; leave: () => Promise<void> };

/**
 * Connects a command to the running server's database, or starts the server's own database for the duration of the
 * command.
 */
export async function reachDatabase(config: Readonly<Config>): Promise<Reached> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, leave: async () => undefined };
  const folder = databaseFolder(config);
  // A command must not create a new database for a data folder whose database is elsewhere.
  if (!hasCluster(folder)) await requireTogether(config, null);
  const running = await runningPostgres(folder);
  if (running) return { url: running(DATABASE), leave: async () => undefined };
  const server = await startPostgres({ folder });
  return { url: server.url(DATABASE), leave: server.stop };
}
