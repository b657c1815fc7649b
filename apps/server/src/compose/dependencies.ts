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

/** Options of a process at its start. */
export type ProcessOptions = {
  config: Readonly<Config>;
  /** For the role that reads and writes rows. */
  databaseUrl: string;
  log: Logger;
  /** For tests: another table of items. */
  items?: Items;
};

/** Parts that every process has. */
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

/** Where the storage keeps what was uploaded and recorded, and what is made from it. */
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
    // Durations never go by a clock that can be set.
    nowMs: () => performance.now(),
  };
  return dependencies;
}
