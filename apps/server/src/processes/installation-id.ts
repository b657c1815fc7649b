import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { ConfigError } from '../base/config/config.ts';
import type { Database } from '../base/db/schema.ts';
import { readSetting, writeSetting } from '../base/db/settings.ts';
import { moveDurably, writeAtomic } from '../base/storage/durable.ts';

/**
 * File directly in the data folder. Backups contain only its subfolders, so that a restored installation gets a new id.
 */
const FILE = 'installation.id';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads the id of the installation that a data folder belongs to; null if it has none.
 *
 * @throws ConfigError if the file contains anything other than an id
 */
export async function folderId(dataDir: string): Promise<string | null> {
  const path = join(dataDir, FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const id = text.trim();
  if (UUID.test(id)) return id;
  throw new ConfigError(
    `${path} holds no id of an installation. Put it back from a copy, or remove it: the next start looks whether the database knows the recordings in ${dataDir}.`,
  );
}

export async function writeFolderId(dataDir: string, id: string): Promise<void> {
  const temporary = join(dataDir, `${FILE}.${randomUUID()}`);
  try {
    await writeAtomic(temporary, [Buffer.from(`${id}\n`)]);
    await moveDurably(temporary, join(dataDir, FILE), dataDir);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Reads the installation id in a database; null if the database has none, or no table at all. */
export async function databaseId(db: Kysely<Database>): Promise<string | null> {
  return (await hasTable(db, 'settings')) ? readSetting(db, 'installationId') : null;
}

/** Stores the id unless there is one already, since another start may just have written it. Returns the stored id. */
export async function keepDatabaseId(db: Kysely<Database>, id: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ key: 'installationId', value: JSON.stringify(id) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readSetting(db, 'installationId')) ?? id;
}

export const replaceDatabaseId = (db: Kysely<Database>, id: string): Promise<void> =>
  writeSetting(db, 'installationId', id);

/** Returns whether a table exists, since a schema of an earlier version lacks some tables. */
export async function hasTable(db: Kysely<Database>, name: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${`public.${name}`}) is not null as there`.execute(
    db,
  );
  return rows[0]?.there ?? false;
}
