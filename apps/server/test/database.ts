import { type Kysely, sql } from 'kysely';
import { inject } from 'vitest';
import { addressWith, connect } from '../src/base/db/connect.ts';
import type { Database } from '../src/base/db/schema.ts';
import { atEnd } from './cleanup.ts';

/** The migrated and seeded database that tests copy; no connection to it stays open. */
export const TEMPLATE = 'osprey_template';

/** A fresh database with schema, group Demo and the guest in it; dropped when the test file ends. */
export async function testDatabase(): Promise<Kysely<Database>> {
  const { db } = await testDatabaseAt();
  return db;
}

/** The same with its address, for parts that open connections of their own. */
export const testDatabaseAt = () => madeFrom(TEMPLATE);

/** One without any table. */
export const emptyDatabaseAt = () => madeFrom('template0');

async function madeFrom(template: string): Promise<{ db: Kysely<Database>; url: string }> {
  const { url: serverUrl } = inject('databaseServer');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  // Copied as files, not page by page through the log: a quarter of the processors' time, as often as a test begins.
  await sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`.execute(maintenance());
  const url = addressWith(serverUrl, { database: name });
  const db = connect({ url });
  atEnd(async () => {
    await db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(maintenance());
  });
  return { db, url };
}

let retained: Kysely<Database> | null = null;

/** One for all databases of a worker: connecting takes longer than copying. Left alone for ten seconds it closes itself. */
function maintenance(): Kysely<Database> {
  retained ??= connect({ url: inject('databaseServer').url, max: 1, statementTimeoutMs: 30_000, turnMs: 30_000 });
  return retained;
}

/** Connections to this database that wait until another one lets go of a lock. */
export async function waitingForLock(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}
