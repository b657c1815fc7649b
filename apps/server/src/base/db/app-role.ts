import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

export const APP_ROLE = 'osprey_app';

/**
 * Creates the database role that requests and jobs use. It may read and write rows, owns nothing, and may only append
 * to the audit. Its password is changed at each start and is known only to the running processes.
 */
export async function prepareAppRole(
  owner: Kysely<Database>,
  { role, password }: { role: string; password: string },
): Promise<void> {
  const name = sql.id(role);
  await owner.transaction().execute(async (tx) => {
    const existing = await sql<{ one: number }>`select 1 as one from pg_roles where rolname = ${role}`.execute(tx);
    if (existing.rows.length === 0) await sql`create role ${name} login`.execute(tx);
    await sql`alter role ${name} with password ${sql.lit(password)}`.execute(tx);
    await sql`grant usage on schema public to ${name}`.execute(tx);
    await sql`grant select, insert, update, delete on all tables in schema public to ${name}`.execute(tx);
    await sql`revoke update, delete, truncate on audit, audit_checkpoints from ${name}`.execute(tx);
  });
}

/** Whether the current database account may create other roles. Accounts of an external database often may not. */
export async function mayMakeRoles(owner: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select rolcreaterole or rolsuper as may from pg_roles where rolname = current_user`.execute(owner);
  return rows[0]?.may ?? false;
}

/** Whether this connection may change rows of the audit. If it may, the audit is protected only by its hash chain. */
export async function canRewriteAudit(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('audit', 'update, delete, truncate') as may`.execute(db);
  return rows[0]?.may ?? true;
}

/** Settings that could lose a committed change at a power cut; empty if there are none. */
export async function durabilityFaults(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`.execute(db);
  return rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
}
