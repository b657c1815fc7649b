import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { clusterFolder, layCluster } from '../../test/scratch-cluster.ts';
import { type Config, readConfig } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { isOutdated, migrateTo } from '../base/db/migrate.ts';
import { startPostgres } from '../base/db/postgres-server.ts';
import type { Database } from '../base/db/schema.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { headers } from '../features/backups/target.ts';
import { prepareDatabase } from './database.ts';

const OLD = '0002-rights-notices';

let config: Config;
let db: Kysely<Database>;

/** A cluster of its own: a server refuses a database that could lose a commit, as that of the other tests could. */
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-test-data-'));
  // Not inside that folder: as root, PostgreSQL's own account could not enter it.
  const folder = clusterFolder('migrated');
  await layCluster(folder);
  const server = await startPostgres({ folder });
  db = connect({ url: server.url('postgres') });
  atEnd(async () => {
    await db.destroy();
    await server.stop();
    await Promise.all([dataDir, folder].map((path) => rm(path, { recursive: true, force: true })));
  });
  config = { ...readConfig({}), dataDir, databaseUrl: server.url('postgres') };
});

const prepare = () => prepareDatabase(config, { onTrouble: () => undefined });
const backups = () => headers(folderStorage({ root: join(config.dataDir, 'backups') }));

describe('a migration', { timeout: 120_000 }, () => {
  it('begins with a backup of the rows as they were, and is followed by none', async () => {
    await migrateTo(db, OLD);
    await sql`insert into usergroups (name, classification, created) values ('Old group', 3, 1)`.execute(db);

    await prepare();

    const found = await backups();
    expect(found).toMatchObject([{ origin: 'migration', schemaVersion: OLD, withFiles: false }]);
    expect(found[0]!.rows).toBeGreaterThan(0);
    expect(await isOutdated(db)).toBe(false);
    await prepare();
    expect(await backups()).toHaveLength(1);
  });

  it('does not begin, and the server does not start, where that backup cannot be made', async () => {
    await migrateTo(db, OLD);
    config = { ...config, backupDir: join(config.dataDir, 'a-file') };
    await writeFile(config.backupDir!, '');

    await expect(prepare()).rejects.toThrow(/needs a step to this version, and the backup before it failed/);

    expect(await isOutdated(db)).toBe(true);
  });

  it('of an empty database has nothing to keep', async () => {
    await prepare();

    expect(await backups()).toEqual([]);
    expect(await isOutdated(db)).toBe(false);
  });
});
