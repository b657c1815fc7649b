import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { seed } from '../base/access/seed.ts';
import { usernameKey } from '../base/access/username-key.ts';
import { type Config, ConfigError } from '../base/config/config.ts';
import { APP_ROLE, durabilityFaults, mayMakeRoles, prepareAppRole } from '../base/db/app-role.ts';
import { addressWith, connect } from '../base/db/connect.ts';
import { databaseFolder } from '../base/db/database-folder.ts';
import { isOutdated, migrate } from '../base/db/migrate.ts';
import { hasCluster, type PostgresServer, startPostgres } from '../base/db/postgres-server.ts';
import type { Database } from '../base/db/schema.ts';
import { untilStarted } from '../base/db/until-started.ts';
import { prepareJobs } from '../base/jobs/boss.ts';
import { backUpBeforeMigration } from '../compose/backups.ts';
import { hasSuperAdmin, makeSuperAdmin } from '../features/identity/first-admin.ts';
import { passwordHashes } from '../features/identity/password-hashes.ts';
import { passwordPolicy } from '../features/identity/password-policy.ts';
import { joinInstallation, requireTogether } from './installation.ts';
import { DATABASE } from './reach-database.ts';
import { undoNewerSchema } from './undo-schema.ts';

const MIGRATION_TIMEOUT_MS = 0;

export type PreparedDatabase = {
  /** Address for the server processes. */
  url: string;
  /** Address for the owner of the schema; the same as `url` if there is one role. */
  ownerUrl: string;
  /** The server's own PostgreSQL; null with an external database. */
  server: PostgresServer | null;
  /** Folder of the server's own PostgreSQL cluster; null with an external database. */
  folder: string | null;
  hasSuperAdmin: boolean;
};

/** Starts or connects to the database, migrates it, and creates the superAdmin that the configuration names. */
export async function prepareDatabase(
  config: Readonly<Config>,
  options: { onTrouble: (line: string) => void },
): Promise<PreparedDatabase> {
  if (config.databaseUrl !== null) return prepareExternal(config, config.databaseUrl, options.onTrouble);
  const folder = databaseFolder(config);
  // Check before creating the cluster, since a later start would find it and accept it.
  if (!hasCluster(folder)) await requireTogether(config, null);
  const server = await startPostgres({ folder, ...options });
  // Records which data folder a cluster in /var/lib belongs to.
  await writeFile(join(folder, 'data-folder'), config.dataDir);
  try {
    await untilStarted(server.url('postgres'), (words) => options.onTrouble(`The database is waited for: ${words}.`));
    await withOwner(server.url('postgres'), createDatabase);
    const ownerUrl = server.url(DATABASE);
    await undoNewerSchema({ config, url: ownerUrl, say: options.onTrouble });
    const password = newPassword();
    const ready = await withOwner(ownerUrl, (owner) =>
      prepareSchema({
        owner,
        url: ownerUrl,
        config,
        makeRole: async () => {
          await prepareAppRole(owner, { role: APP_ROLE, password });
          return APP_ROLE;
        },
      }),
    );
    const url = addressWith(ownerUrl, { user: APP_ROLE, password });
    return { url, ownerUrl, server, folder, hasSuperAdmin: ready };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const newPassword = () => randomBytes(24).toString('hex');

/**
 * Connects to an external database. Creates a separate role for the processes, if the given account may do so and the
 * role can log in.
 */
async function prepareExternal(
  config: Readonly<Config>,
  ownerUrl: string,
  onTrouble: (line: string) => void,
): Promise<PreparedDatabase> {
  await untilStarted(ownerUrl, (words) => onTrouble(`The database is waited for: ${words}.`));
  await undoNewerSchema({ config, url: ownerUrl, say: onTrouble });
  const password = newPassword();
  // Roles belong to the whole cluster, which may contain databases of several servers, so the name includes a hash of
  // this database's name.
  const role = `${APP_ROLE}_${createHash('sha256').update(new URL(ownerUrl).pathname).digest('hex').slice(0, 8)}`;
  let made: string | null = null;
  async function makeRole(owner: Kysely<Database>): Promise<string | null> {
    if (!(await mayMakeRoles(owner))) return null;
    await prepareAppRole(owner, { role, password }).then(
      () => {
        made = role;
      },
      (error: Error) => onTrouble(`The database has one role for everything: ${error.message}.`),
    );
    return made;
  }
  const ready = await withOwner(ownerUrl, (owner) =>
    prepareSchema({ owner, url: ownerUrl, config, makeRole: () => makeRole(owner) }),
  );
  const appUrl = addressWith(ownerUrl, { user: role, password });
  const url = made !== null && (await answers(appUrl)) ? appUrl : ownerUrl;
  return { url, ownerUrl, server: null, folder: null, hasSuperAdmin: ready };
}

/**
 * Returns whether an account can log in: a connection pooler or the server's rules may admit only configured accounts.
 */
const answers = (url: string): Promise<boolean> =>
  withOwner(url, async (db) => {
    await sql`select 1`.execute(db);
    return true;
  }).catch(() => false);

async function withOwner<T>(url: string, work: (owner: Kysely<Database>) => Promise<T>): Promise<T> {
  const owner = connect({ url, max: 2, statementTimeoutMs: MIGRATION_TIMEOUT_MS });
  return work(owner).finally(() => owner.destroy());
}

export async function createDatabase(owner: Kysely<Database>): Promise<void> {
  const { rows } = await sql`select from pg_database where datname = ${DATABASE}`.execute(owner);
  if (rows.length === 0) await sql`create database ${sql.id(DATABASE)}`.execute(owner);
}

type Preparing = {
  owner: Kysely<Database>;
  url: string;
  config: Readonly<Config>;
  makeRole: () => Promise<string | null>;
};

/**
 * Migrates the schema. Returns whether there is a superAdmin. `makeRole` returns null if a single role does everything.
 */
async function prepareSchema({ owner, url, config, makeRole }: Preparing): Promise<boolean> {
  await requireTogether(config, owner);
  const faults = await durabilityFaults(owner);
  if (faults.length > 0) {
    throw new ConfigError(`The database has ${faults.join(', ')} off: what was saved could be lost. Switch it on.`);
  }
  const nowUs = Date.now() * 1000;
  if (await isOutdated(owner)) await backUpBeforeMigration(config, url);
  await migrate(owner);
  await seed(owner, nowUs);
  await joinInstallation(config, owner);
  await prepareJobs(owner, await makeRole());
  if (await hasSuperAdmin(owner)) return true;
  if (config.adminPassword === null) return false;
  await makeAdmin(owner, config, nowUs);
  return true;
}

const ADMIN_NAME = 'admin';

async function makeAdmin(owner: Kysely<Database>, config: Readonly<Config>, nowUs: number): Promise<void> {
  const password = config.adminPassword ?? '';
  try {
    passwordPolicy(config.passwordMin)(password);
  } catch (error) {
    throw new ConfigError(`OSPREY_ADMIN_PASSWORD is not taken: ${(error as Error).message}`);
  }
  const hashes = passwordHashes({ nowMs: () => performance.now() });
  await makeSuperAdmin(owner, {
    username: ADMIN_NAME,
    username_key: usernameKey(ADMIN_NAME),
    password_hash: await hashes.hash(password),
    registered: nowUs,
  });
}
