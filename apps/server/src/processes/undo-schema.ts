import { classificationRank } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { type Config, ConfigError } from '../base/config/config.ts';
import { addressWith, connect } from '../base/db/connect.ts';
import { isNewer, knowsVersion } from '../base/db/migrate.ts';
import type { Database } from '../base/db/schema.ts';
import { backupLocations } from '../compose/backups.ts';
import { restoreDatabase } from '../features/backups/proof.ts';
import { headers, readManifest } from '../features/backups/target.ts';
import { readPointer, writePointer } from '../features/updates/pointer.ts';

type Options = {
  config: Readonly<Config>;
  /** Address of the database for its owner, who may create databases. */
  url: string;
  say: (line: string) => void;
};

/**
 * After a failed update: if the newer version has changed the schema, restores the rows from the backup made before
 * that change. They are loaded into a separate database, which gets the original's name in one transaction. If the
 * process is killed at any moment, either the old or the new database remains, and the next start continues from there.
 *
 * @throws ConfigError if that is impossible, with the manual steps
 */
export async function undoNewerSchema({ config, url, say }: Options): Promise<void> {
  const pointer = await readPointer(config.dataDir).catch(() => null);
  const sinceUs = pointer?.restoreFromUs ?? null;
  if (pointer === null || sinceUs === null) return;
  const restored = (await using(url, isNewer)) ? await putBack(config, url, sinceUs) : null;
  if (restored !== null) say(`The database is that of backup ${restored} again.`);
  const last = pointer.last && { ...pointer.last, restored };
  await writePointer(config.dataDir, { ...pointer, restoreFromUs: null, last });
}

async function putBack(config: Readonly<Config>, url: string, sinceUs: number): Promise<string> {
  const { target, key } = backupLocations(config);
  const backup = (await headers(target)).find(
    ({ created, schemaVersion }) => created >= sinceUs && knowsVersion(schemaVersion),
  );
  if (backup === undefined) throw new ConfigError(`${CHANGED} No backup from before that was found. ${BY_HAND}`);
  try {
    const name = new URL(url).pathname.slice(1);
    const [fresh, old] = [`${name}_restored`, `${name}_newer`];
    await using(pathed(url, 'postgres'), async (db) => {
      await sql`drop database if exists ${sql.id(fresh)} with (force)`.execute(db);
      await sql`create database ${sql.id(fresh)}`.execute(db);
    });
    const sealed = { target, key: await key(), name: backup.name };
    const content = await readManifest(sealed);
    const systemHigh = classificationRank(config.systemHigh);
    const freshUrl = pathed(url, fresh);
    await using(freshUrl, (db) => restoreDatabase({ ...sealed, db, url: freshUrl, content, systemHigh }));
    await using(pathed(url, 'postgres'), async (db) => {
      await sql`drop database if exists ${sql.id(old)} with (force)`.execute(db);
      await db.transaction().execute(async (tx) => {
        await sql`alter database ${sql.id(name)} rename to ${sql.id(old)}`.execute(tx);
        await sql`alter database ${sql.id(fresh)} rename to ${sql.id(name)}`.execute(tx);
      });
      await sql`drop database ${sql.id(old)} with (force)`.execute(db);
    });
    return backup.name;
  } catch (error) {
    throw new ConfigError(
      `${CHANGED} Backup ${backup.name} could not be put back: ${(error as Error).message}. ${BY_HAND}`,
    );
  }
}

const CHANGED = 'The database was changed by a newer version that was given up.';
const BY_HAND =
  'Put a backup into an empty database (npm run backup -- restore), or install the newer version again. Nothing was changed.';

const pathed = (url: string, database: string): string => addressWith(url, { database });

async function using<T>(url: string, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const db = connect({ url, max: 2, statementTimeoutMs: 0 });
  return work(db).finally(() => db.destroy());
}
