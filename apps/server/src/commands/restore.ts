import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { classificationRank } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { requestAudit } from '../base/audit/request-audit.ts';
import { auditWriter } from '../base/audit/writer.ts';
import { type Config, ConfigError } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import { startPostgres } from '../base/db/postgres-server.ts';
import type { Database } from '../base/db/schema.ts';
import { backupLocations } from '../compose/backups.ts';
import { restoreBackup } from '../features/backups/restore.ts';
import { lockDataFolder } from '../processes/data-lock.ts';
import { createDatabase } from '../processes/database.ts';
import { renewInstallation } from '../processes/installation.ts';
import { DATABASE } from '../processes/reach-database.ts';

/**
 * Restores a backup into the empty installation that the configuration names. No server may run in its data folder.
 *
 * @throws ConfigError when the installation is not empty; BackupDamaged
 */
export async function restoreInstallation(
  config: Readonly<Config>,
  name: string,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 });
  const unlock = await lockDataFolder(config.dataDir);
  try {
    await withEmptyDatabase(config, async (db, url) => {
      const { target, key } = backupLocations(config);
      const bytes = await key();
      const systemHigh = classificationRank(config.systemHigh);
      await restoreBackup({ target, key: bytes, name, db, url, dataDir: config.dataDir, systemHigh, say });
      // This installation gets a new id, since the installation that made the backup may still be running. It keeps the
      // backup's key.
      await renewInstallation(config, db);
      await keepKey(config, bytes, say);
      const writer = auditWriter({ db, node: 'command', log: { error: () => undefined } });
      const audit = requestAudit(writer, { actor: null, session: null, address: 'console' }, () => Date.now() * 1000);
      await audit.write({ action: 'backup.restore', result: 'done', reason: name });
    });
  } finally {
    await unlock();
  }
  say(`Restored. Start the server: npm start`);
}

/** Stores the backup's key, so that the next backups use the same one and need not copy everything again. */
async function keepKey({ dataDir }: Config, key: Buffer, say: (line: string) => void): Promise<void> {
  const path = join(dataDir, 'keys', 'backup.key');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = await writeFile(path, key.toString('hex'), { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  );
  if (isNew) say(`The key of the backups lies in ${path} again.`);
}

async function withEmptyDatabase(
  config: Readonly<Config>,
  work: (db: Kysely<Database>, url: string) => Promise<void>,
): Promise<void> {
  const server = config.databaseUrl === null ? await startPostgres({ folder: databaseFolder(config) }) : null;
  try {
    if (server) {
      const maintenance = connect({ url: server.url('postgres'), max: 1 });
      await createDatabase(maintenance).finally(() => maintenance.destroy());
    }
    const url = server?.url(DATABASE) ?? config.databaseUrl ?? '';
    const db = connect({ url, max: 3, statementTimeoutMs: 0 });
    try {
      await requireEmpty(db);
      await work(db, url);
    } finally {
      await db.destroy();
    }
  } finally {
    await server?.stop();
  }
}

/** Requires a database without rows. A schema without rows is accepted: an interrupted restore leaves one. */
async function requireEmpty(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('public.users') is not null as there`.execute(db);
  if (!rows[0]?.there) return;
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (user === undefined) return;
  throw new ConfigError(
    'This installation is not empty: a backup is restored into a new one. Set OSPREY_DATA to another folder, and ' +
      'OSPREY_DATABASE_URL, if used, to an empty database.',
  );
}
