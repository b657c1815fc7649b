import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { databaseRoot, removeLeftOver } from '../../../tools/test-support/memory-folder.ts';
import { seed } from '../src/base/access/seed.ts';
import { connect } from '../src/base/db/connect.ts';
import { migrate } from '../src/base/db/migrate.ts';
import { startPostgres } from '../src/base/db/postgres-server.ts';
import { prepareJobs } from '../src/base/jobs/boss.ts';
import { createDatabase } from '../src/processes/database.ts';
import { DATABASE } from '../src/processes/reach-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readyCluster: { folder: string };
  }
}

const NAME = 'osprey-ready-';

type ReadyCluster = { folder: string; remove: () => Promise<void> };

/**
 * A cluster as the first start of a server leaves it, made once for a run: what is tested is mostly not that start, a
 * third of whose processor time goes into the making of its cluster. `copyCluster` gives it to a server.
 */
export async function makeReadyCluster(project: TestProject): Promise<ReadyCluster> {
  await removeLeftOver(NAME);
  const folder = join(databaseRoot(), `${NAME}${process.pid}`);
  // Copies are run by servers that go by their own settings; this one only has to be made soon.
  const server = await startPostgres({ folder, settings: ['fsync=off'] });
  const maintenance = connect({ url: server.url('postgres'), max: 1 });
  await createDatabase(maintenance);
  await maintenance.destroy();
  const owner = connect({ url: server.url(DATABASE), max: 1 });
  await migrate(owner);
  await seed(owner, Date.now() * 1000);
  await prepareJobs(owner);
  await owner.destroy();
  await server.stop();
  project.provide('readyCluster', { folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** For tests that need no database besides those of their servers. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  return (await makeReadyCluster(project)).remove;
}
