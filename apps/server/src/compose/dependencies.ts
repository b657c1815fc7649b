import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../base/config/config.ts';
import { type Connection, connect } from '../base/db/connect.ts';
import type { Database } from '../base/db/schema.ts';
import type { Items } from '../base/items/items.ts';
import { startBoss } from '../base/jobs/boss.ts';
import { type JobQueue, jobQueue } from '../base/jobs/queue.ts';
import { folderStorage } from '../base/storage/folder.ts';
import type { Storage } from '../base/storage/storage.ts';
import { type EventSender, eventSender } from '../base/ws/outgoing.ts';

/** Options with which a process starts. */
export type ProcessOptions = {
  config: Readonly<Config>;
  /** URL of the database for the role that reads and writes rows. */
  databaseUrl: string;
  log: Logger;
  /** For tests: another table of items. */
  items?: Items;
};

/** Dependencies common to all processes. */
export type Dependencies = {
  config: Readonly<Config>;
  log: Logger;
  db: Kysely<Database>;
  items: Items;
  storage: Storage;
  boss: Awaited<ReturnType<typeof startBoss>>;
  queue: JobQueue;
  events: EventSender;
  nowUs: () => number;
  nowMs: () => number;
};

/** Returns the directory in which the storage keeps uploads, recordings and everything derived from them. */
export const filesFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'files');

type DependenciesOptions = ProcessOptions & {
  /** True for the one process that works on jobs. */
  works: boolean;
  items: Items;
} & Pick<Connection, 'statementTimeoutMs' | 'turnMs'>;

export async function openDependencies(options: DependenciesOptions) {
  const { config, databaseUrl, log, statementTimeoutMs, turnMs } = options;
  const nowUs = () => Date.now() * 1000;
  const onError = (error: unknown) => log.warn({ error }, 'database connection lost');
  const db = connect({
    url: databaseUrl,
    max: 12,
    watched: true,
    onError,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    ...(turnMs !== undefined && { turnMs }),
  });
  const storage = folderStorage({ root: filesFolder(config) });
  const boss = await startBoss({ db, worksAt: options.works ? databaseUrl : null, onError });
  const dependencies: Dependencies = {
    config,
    log,
    db,
    items: options.items,
    storage,
    boss,
    queue: jobQueue({ boss, nowUs }),
    events: eventSender({ db, log }),
    nowUs,
    // Monotonic clock; durations are never measured with a clock that can be set.
    nowMs: () => performance.now(),
  };
  return dependencies;
}
