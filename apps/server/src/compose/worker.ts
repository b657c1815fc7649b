import { writeSetting } from '../base/db/settings.ts';
import { ffmpegTools } from '../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../base/ffmpeg/sandbox.ts';
import type { JobDefinition } from '../base/jobs/definition.ts';
import { jobRunner } from '../base/jobs/runner.ts';
import { keepBackups } from './backups.ts';
import { openDependencies, type ProcessOptions } from './dependencies.ts';
import { items as productItems } from './items.ts';
import { jobDefinitions } from './job-definitions.ts';
import { upkeep } from './upkeep.ts';

/** Time limit of a statement, in milliseconds. Steps of a job read and write more rows at a time than a request may. */
const STATEMENT_TIMEOUT_MS = 60_000;
/**
 * Maximum wait for a database connection, in milliseconds. Jobs can wait: completing an attempt matters more than
 * failing fast.
 */
const TURN_MS = 15_000;

export type Worker = { start: () => Promise<void>; close: () => Promise<void> };

/** Composes the process for work that lasts longer than a request. */
export async function composeWorker(options: ProcessOptions): Promise<Worker> {
  const patience = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, turnMs: TURN_MS };
  const { config, databaseUrl, items = productItems } = options;
  const dependencies = await openDependencies({
    config,
    databaseUrl,
    log: options.log,
    works: true,
    items,
    ...patience,
  });
  const { db, boss, queue, log, nowUs, events } = dependencies;
  const sandbox = await findSandbox(config.sandbox);
  await writeSetting(db, 'decoders', { isolated: sandbox.isolated });
  const ffmpeg = ffmpegTools({ sandbox });
  const definitions: JobDefinition[] = jobDefinitions({ ...dependencies, ffmpeg });
  const runner = jobRunner({ db, boss, queue, definitions, changed: events.changed, items, log, nowUs });
  const chores = upkeep({ ...dependencies, ffmpeg });
  const backups = keepBackups(dependencies, databaseUrl);
  return {
    async start() {
      await runner.start();
      await chores.start();
      backups.start();
    },
    async close() {
      await Promise.all([runner.stop(), chores.stop(), backups.stop()]);
      await events.drain();
      await boss.stop({ graceful: false });
      await db.destroy();
    },
  };
}
