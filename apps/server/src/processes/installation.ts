import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../base/access/as-system.ts';
import { type Config, ConfigError } from '../base/config/config.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import type { Database } from '../base/db/schema.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { databaseId, folderId, hasTable, keepDatabaseId, replaceDatabaseId, writeFolderId } from './installation-id.ts';

/**
 * Storage folders with data that cannot be recreated, each with the table whose row ids are the names of its entries.
 */
const CONTENT = [
  ['originals', 'sensors'],
  ['documents', 'documents'],
] as const;
const ITEM = /^[^/]+\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\//;
const CODE_CHARACTERS = 8;

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDir'>;
type Ids = { folder: string | null; database: string | null };

/**
 * Refuses a data folder and a database of two different installations, before anything is changed in either: with such
 * a database, all recordings would be treated as leftovers to be removed. If one of the two has no installation id, as
 * in earlier versions, the database must have rows for files in the folder. `db` is null if there is no database yet.
 *
 * @throws ConfigError naming both locations and the remedy
 */
export async function requireTogether(
  config: Place & Pick<Config, 'adopt'>,
  db: Kysely<Database> | null,
): Promise<void> {
  const ids = await idsOf(config, db);
  if (ids.folder !== null && ids.folder === ids.database) return;
  const code = adoptionCode(config, ids);
  if (config.adopt === code) return;
  const fault = await faultOf(config, db, ids);
  if (fault !== null) throw new ConfigError(refusal(config, fault, code));
}

/**
 * Writes the installation id to both the data folder and the database, after `requireTogether`. Needs the current
 * schema.
 */
export async function joinInstallation(config: Place & Pick<Config, 'adopt'>, db: Kysely<Database>): Promise<void> {
  const ids = await idsOf(config, db);
  if (ids.folder !== null && ids.folder === ids.database) return;
  if (config.adopt === adoptionCode(config, ids)) return renewInstallation(config, db);
  const retained = await keepDatabaseId(db, ids.folder ?? randomUUID());
  if (ids.folder === null) await writeFolderId(config.dataDir, retained);
}

/** Gives the data folder and the database a new common id, so that neither matches an earlier partner. */
export async function renewInstallation({ dataDir }: Pick<Config, 'dataDir'>, db: Kysely<Database>): Promise<void> {
  const id = randomUUID();
  await writeFolderId(dataDir, id);
  await replaceDatabaseId(db, id);
}

const idsOf = async ({ dataDir }: Place, db: Kysely<Database> | null): Promise<Ids> => ({
  folder: await folderId(dataDir),
  database: db === null ? null : await databaseId(db),
});

/** Returns the reason why the two must not be used together, as text; null if there is none. */
async function faultOf({ dataDir }: Place, db: Kysely<Database> | null, ids: Ids): Promise<string | null> {
  if (ids.folder !== null && ids.database !== null) return 'each names another installation';
  let isEmpty = true;
  for (const [top, table] of CONTENT) {
    const items = await itemsIn(dataDir, top);
    if (items.length === 0) continue;
    isEmpty = false;
    if (db !== null && (await knowsOne(db, table, items))) return null;
  }
  if (!isEmpty) return 'the folder holds recordings or documents, and the database knows none of them';
  const isLost = ids.database !== null && db !== null && (await hasFiles(db));
  return isLost ? 'the database knows recordings or documents, and the folder holds none' : null;
}

async function itemsIn(dataDir: string, top: string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { key } of folderStorage({ root: join(dataDir, 'files') }).list(top)) {
    const id = ITEM.exec(key)?.[1];
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

async function knowsOne(db: Kysely<Database>, table: 'sensors' | 'documents', ids: string[]): Promise<boolean> {
  if (!(await hasTable(db, table))) return false;
  const existing = await asSystem(db, 'start')
    .selectFrom(table)
    .select('id')
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .limit(1)
    .executeTakeFirst();
  return existing !== undefined;
}

async function hasFiles(db: Kysely<Database>): Promise<boolean> {
  const file = await asSystem(db, 'start').selectFrom('files').select('id').limit(1).executeTakeFirst();
  if (file !== undefined || !(await hasTable(db, 'documents'))) return file !== undefined;
  const document = await asSystem(db, 'start').selectFrom('documents').select('id').limit(1).executeTakeFirst();
  return document !== undefined;
}

/**
 * Returns a code that confirms joining these two in their current state, so that an option left in the configuration
 * cannot join anything else.
 */
function adoptionCode(config: Place, ids: Ids): string {
  const both = JSON.stringify([config.dataDir, databaseLocation(config), ids.folder, ids.database]);
  return createHash('sha256').update(both).digest('hex').slice(0, CODE_CHARACTERS);
}

/** Location of the database, without account and password. */
function databaseLocation(config: Place): string {
  if (config.databaseUrl === null) return `in ${databaseFolder(config)}`;
  const { host, pathname } = new URL(config.databaseUrl);
  return `${pathname.slice(1)} on ${host}`;
}

function refusal(config: Place, fault: string, code: string): string {
  const option = config.databaseUrl === null ? 'OSPREY_DATABASE_DIR' : 'OSPREY_DATABASE_URL';
  return (
    `The data folder ${config.dataDir} and the database ${databaseLocation(config)} do not belong together: ${fault}. ` +
    `Set OSPREY_DATA and ${option} to two that do, start with the account that you started with before, or put a ` +
    'backup into an empty database (npm run backup -- restore); where they do belong together, start once with ' +
    `OSPREY_ADOPT=${code}. Nothing was changed.`
  );
}
