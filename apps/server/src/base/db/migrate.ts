import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/**
 * Brings the schema up to date, each step in a transaction.
 *
 * @throws Error when the schema is newer than this server
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const { error } = await migratorOf(db).migrateToLatest();
  if (error === undefined) return;
  const newer = error instanceof Error && error.message.startsWith('corrupted migrations');
  if (newer) throw new Error('The database was made by a newer version of this server', { cause: error });
  throw error;
}

/**
 * Migrates an empty database to the schema version of a backup.
 *
 * @throws Error when this server does not know that version
 */
export async function migrateTo(db: Kysely<Database>, version: string): Promise<void> {
  if (!knowsVersion(version)) throw new Error(`Version ${version} was made by a newer version of this server`);
  const { error } = await migratorOf(db).migrateTo(version);
  if (error !== undefined) throw error;
}

/** Whether a schema exists and is older than this server's version. */
export async function isOutdated(db: Kysely<Database>): Promise<boolean> {
  const existing = await migratorOf(db).getMigrations();
  const done = existing.filter(({ executedAt }) => executedAt !== undefined);
  return done.length > 0 && done.length < existing.length;
}

/** Whether this server can bring a database to that version. */
export const knowsVersion = (version: string): boolean => version in migrations;

/** Whether the schema has a step that this server does not know. */
export async function isNewer(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db);
  if (!rows[0]?.there) return false;
  const steps = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return steps.rows.some(({ name }) => !knowsVersion(name));
}

const migratorOf = (db: Kysely<Database>) => new Migrator({ db, provider: { getMigrations: async () => migrations } });
