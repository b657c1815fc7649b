import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { copyCluster } from '../../../tools/test-support/copy-cluster.ts';
import { databaseRoot, removeLeftOver } from '../../../tools/test-support/memory-folder.ts';
import { connect } from '../src/base/db/connect.ts';
import { startPostgres } from '../src/base/db/postgres-server.ts';
import { DATABASE } from '../src/processes/reach-database.ts';
import { TEMPLATE } from './database.ts';
import { makeReadyCluster } from './ready-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: { url: string };
  }
}

/** Thrown away afterwards, so nothing needs to survive a power cut. */
const settings = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'],
  // Tests need no replication, and the write-ahead log stays small.
  ...['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=256MB'],
];
const NAME = 'osprey-test-';

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

/** One real PostgreSQL for the whole test run, with a template that each test's database is copied from. */
export default async function startTestPostgres(project: TestProject): Promise<() => Promise<void>> {
  // Not inside a mkdtemp folder: as root, PostgreSQL's own account could not enter it.
  const root = databaseRoot();
  await removeLeftOver(NAME);
  const folder = join(root, `${NAME}${process.pid}`);
  const ready = await makeReadyCluster(project);
  await copyCluster(ready.folder, folder);
  const server = await startPostgres({ folder, settings });
  const maintenance = connect({ url: server.url('postgres'), max: 1 });
  // A password takes thousands of rounds of hashing at each connection, and tests make thousands of those.
  await sql`set scram_iterations = 1`.execute(maintenance);
  await sql`alter role postgres password ${sql.lit(passwordOf(server.url('postgres')))}`.execute(maintenance);
  await sql`create database ${sql.id(TEMPLATE)} template ${sql.id(DATABASE)}`.execute(maintenance);
  await maintenance.destroy();
  project.provide('databaseServer', { url: server.url('postgres') });
  return async () => {
    await server.stop();
    await Promise.all([rm(folder, { recursive: true, force: true }), ready.remove()]);
  };
}
