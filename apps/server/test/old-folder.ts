import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { connect } from '../src/base/db/connect.ts';
import { databaseFolder } from '../src/base/db/database-folder.ts';
import { startPostgres } from '../src/base/db/postgres-server.ts';
import type { Database } from '../src/base/db/schema.ts';
import { DATABASE } from '../src/processes/reach-database.ts';
import { dataFolder } from './running-server.ts';
import { layCluster } from './scratch-cluster.ts';

/** The dump of a database, and files in base64 by their path in the data folder. */
export type OldFolder = { sql: string; files: Record<string, string> };

/** The data folder that the server of a commit left: old-folder/README.md. */
export async function readOldFolder<Folder extends OldFolder>(commit: string): Promise<Folder> {
  const packed = await readFile(join(import.meta.dirname, `old-folder/${commit}.json.br`));
  return JSON.parse((await promisify(brotliDecompress)(packed)).toString()) as Folder;
}

/**
 * The folder as its server left it, its database in a cluster of this version of PostgreSQL. `prepare` changes rows as if
 * the server had stopped a moment ago.
 */
export async function unpackedFolder(
  old: OldFolder,
  prepare: (db: Kysely<Database>) => Promise<unknown>,
): Promise<string> {
  const dataDir = await dataFolder();
  for (const [path, base64] of Object.entries(old.files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), Buffer.from(base64, 'base64'));
  }
  await layCluster(databaseFolder({ dataDir, databaseDir: null }));
  await inDatabaseOf(dataDir, async (db, maintenance) => {
    await sql`drop database if exists ${sql.id(DATABASE)} with (force)`.execute(maintenance);
    await sql`create database ${sql.id(DATABASE)} template template0`.execute(maintenance);
    await sql.raw(old.sql).execute(db);
    // A dump names each table with its schema, and leaves none in the path.
    await sql`set search_path to public`.execute(db);
    await prepare(db);
  });
  return dataDir;
}

/** Works in the database of a data folder whose server does not run. */
export async function inDatabaseOf<Result>(
  dataDir: string,
  work: (db: Kysely<Database>, maintenance: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const server = await startPostgres({ folder: databaseFolder({ dataDir, databaseDir: null }) });
  const [db, maintenance] = [DATABASE, 'postgres'].map((name) => connect({ url: server.url(name), max: 1 })) as [
    Kysely<Database>,
    Kysely<Database>,
  ];
  try {
    return await work(db, maintenance);
  } finally {
    await Promise.all([db.destroy(), maintenance.destroy()]);
    await server.stop();
  }
}
