import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { clusterFolder, layCluster } from '../../test/scratch-cluster.ts';
import { readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { startPostgres } from '../base/db/postgres-server.ts';
import type { Database } from '../base/db/schema.ts';
import { backUpRows } from '../compose/backups.ts';
import { type Pointer, readPointer, writePointer } from '../features/updates/pointer.ts';
import { createDatabase, prepareDatabase } from './database.ts';

const NAME = 'osprey';
const last = { from: '1.0.0', version: '1.0.1', reason: 'It did not start.', time: 5, restored: null };
const givenUp: Pointer = {
  format: 1,
  version: null,
  trial: null,
  restoreFromUs: 5,
  last: { ...last, result: 'rolledBack' },
};

/** A database of this version with one group. */
async function prepared() {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-test-data-'));
  const folder = clusterFolder('undone');
  await layCluster(folder);
  const server = await startPostgres({ folder });
  atEnd(async () => {
    await server.stop();
    await Promise.all([dataDir, folder].map((path) => rm(path, { recursive: true, force: true })));
  });
  const using = async <T>(name: string, work: (db: Kysely<Database>) => Promise<T>) => {
    const db = connect({ url: server.url(name) });
    return work(db).finally(() => db.destroy());
  };
  await using('postgres', createDatabase);
  const config = { ...readConfig({}), dataDir, databaseUrl: server.url(NAME) };
  const start = () => prepareDatabase(config, { onTrouble: () => undefined });
  await start();
  return {
    config,
    start,
    addGroup: (name: string) =>
      using(NAME, (db) => db.insertInto('usergroups').values({ name, classification: 3, created: 1 }).execute()),
    groups: () =>
      using(NAME, async (db) => (await db.selectFrom('usergroups').select('name').execute()).map(({ name }) => name)),
    addStep: () =>
      using(NAME, (db) => sql`insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`.execute(db)),
    databases: () =>
      using('postgres', async (db) => {
        const { rows } = await sql<{ name: string }>`select datname as name from pg_database order by 1`.execute(db);
        return rows.map(({ name }) => name);
      }),
  };
}

it('puts a database back that was changed by a version that was given up, from the backup before', {
  timeout: 120_000,
  tags: 'long',
}, async () => {
  const { config, start, addGroup, groups, addStep, databases } = await prepared();
  await addGroup('Before');
  await backUpRows(config, config.databaseUrl);
  await addGroup('After');
  await addStep();
  const all = await databases();
  await expect(start()).rejects.toThrow('The database was made by a newer version of this server');

  await writePointer(config.dataDir, givenUp);
  await start();

  expect(await groups()).toContain('Before');
  expect(await groups()).not.toContain('After');
  expect(await databases()).toEqual(all);
  const pointer = await readPointer(config.dataDir);
  expect(pointer?.restoreFromUs).toBeNull();
  expect(pointer?.last?.restored).toMatch(/^\d{8}-\d{6}-migration$/);
});

it('changes nothing where there is no backup, and leaves a database alone that was not changed', {
  timeout: 120_000,
  tags: 'long',
}, async () => {
  const { config, start, addGroup, groups, addStep } = await prepared();
  await addGroup('Kept');
  await writePointer(config.dataDir, givenUp);
  await start();
  expect((await readPointer(config.dataDir))?.last?.restored).toBeNull();

  await addStep();
  await writePointer(config.dataDir, givenUp);

  await expect(start()).rejects.toThrow(/No backup from before that was found\. Put a backup into an empty database/);
  expect(await groups()).toContain('Kept');
  expect((await readPointer(config.dataDir))?.restoreFromUs).toBe(5);
});
