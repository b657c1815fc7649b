import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { storedCheckpoints } from '../../base/audit/checkpoints.ts';
import { keyId, type PublicKeys, publicKey } from '../../base/audit/signing-key.ts';
import { chainVerifier } from '../../base/audit/verify.ts';
import type { ChainedRow } from '../../base/db/audit-rows.ts';
import { connect } from '../../base/db/connect.ts';
import { migrate, migrateTo } from '../../base/db/migrate.ts';
import { startPostgres } from '../../base/db/postgres-server.ts';
import type { Database } from '../../base/db/schema.ts';
import { abortable } from './abortable.ts';
import { readEntries, readFile } from './files.ts';
import { type Loading, loadDatabase } from './load.ts';
import { sampleOf } from './sample.ts';
import { BackupDamaged, contentName, sealedBytes } from './seal.ts';
import { quoted } from './snapshot.ts';
import {
  type FileEntry,
  holdsFiles,
  type Manifest,
  objectKey,
  readAll,
  readHeader,
  readManifest,
  type Sealed,
  setKey,
} from './target.ts';

/** Number of files read from end to end; all files if there are fewer. */
const SAMPLE_FILES = 1000;
const AUDIT_PAGE = 5000;
const DATABASE = 'scratch';
/** Settings of the temporary cluster. It is discarded afterwards, so it need not survive a power failure. */
const SCRATCH = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=10'];

export type Proving = Sealed & {
  /** Directory for a temporary PostgreSQL cluster, used even if the production database is elsewhere. */
  scratchFolder: string;
  systemHigh: number;
  nowUs: () => number;
  /** Keys of the audit's checkpoints, for a backup without files. */
  auditKeys: PublicKeys;
  progress: (percent: number) => void;
  signal: AbortSignal;
};

/**
 * Verifies a backup: every file that it needs exists, a sample has its original content, the database can be restored
 * and migrated to this version with every row, and the audit's chains are intact. Only then does the backup count as
 * verified.
 *
 * @throws BackupDamaged, which is also stored with the backup
 */
export async function proveBackup(proving: Proving): Promise<void> {
  const { target, name, nowUs } = proving;
  const keep = (error: string | null) =>
    target.put(setKey(name, 'verified.json'), [Buffer.from(JSON.stringify({ time: nowUs(), error }))]);
  try {
    await prove(proving);
  } catch (error) {
    if (error instanceof BackupDamaged) await keep(error.message);
    throw error;
  }
  await keep(null);
}

async function prove(proving: Proving): Promise<void> {
  const content = await readManifest(proving);
  const header = await readHeader(proving.target, proving.name);
  if (header === null || content.name !== proving.name) throw new BackupDamaged('The backup has no header of its own.');
  const auditKeys = holdsFiles(header, content) ? await proveFiles(proving, content) : proving.auditKeys;
  await proveDatabase(proving, content, auditKeys);
}

/** Verifies the files. Returns the audit's public keys contained in the backup. */
async function proveFiles(proving: Proving, { files }: Manifest): Promise<PublicKeys> {
  const { target, key, progress, signal } = proving;
  const sample = sampleOf<FileEntry>(SAMPLE_FILES);
  const keys = new Map<string, ReturnType<typeof publicKey>>();
  let count = 0;
  let bytes = 0;
  for await (const entry of readEntries(proving)) {
    signal.throwIfAborted();
    const stored = await target.stat(objectKey(contentName(key, entry.sha256)));
    if (stored?.sizeBytes !== sealedBytes(entry.sizeBytes))
      throw new BackupDamaged(`The file ${entry.key} is missing.`);
    sample.offer(entry);
    count += 1;
    bytes += entry.sizeBytes;
    if (!/^keys\/audit\/[^/]+\.pub\.pem$/.test(entry.key)) continue;
    const found = publicKey(entry.key, String(await readAll(readFile(proving, entry))));
    keys.set(keyId(found), found);
  }
  if (count !== files.count || bytes !== files.bytes) throw new BackupDamaged('The list of files is not whole.');
  for (const [at, entry] of sample.taken.entries()) {
    for await (const _bytes of abortable(readFile(proving, entry), signal));
    progress((60 * (at + 1)) / sample.taken.length);
  }
  return keys;
}

async function proveDatabase(proving: Proving, content: Manifest, auditKeys: PublicKeys): Promise<void> {
  const { scratchFolder, progress } = proving;
  const server = await startPostgres({ folder: scratchFolder, settings: SCRATCH });
  try {
    const maintenance = connect({ url: server.url('postgres'), max: 1, statementTimeoutMs: 0 });
    try {
      await sql`drop database if exists ${sql.id(DATABASE)} with (force)`.execute(maintenance);
      await sql`create database ${sql.id(DATABASE)}`.execute(maintenance);
    } finally {
      await maintenance.destroy();
    }
    const url = server.url(DATABASE);
    const db = connect({ url, max: 2, statementTimeoutMs: 0 });
    try {
      await restoreDatabase({ ...proving, db, url, content });
      progress(85);
      await checkCounts(db, content);
      await migrate(db);
      await checkAudit(db, auditKeys);
    } finally {
      await db.destroy();
    }
  } finally {
    await server.stop();
    await rm(scratchFolder, { recursive: true, force: true });
  }
  progress(100);
}

/** Stops and removes the temporary cluster of a process that was killed. */
export async function removeScratch(scratchFolder: string): Promise<void> {
  if (!existsSync(scratchFolder)) return;
  const server = await startPostgres({ folder: scratchFolder, settings: SCRATCH });
  await server.stop();
  await rm(scratchFolder, { recursive: true, force: true });
}

export type RestoringDatabase = Sealed &
  Pick<Loading, 'url' | 'systemHigh' | 'withoutSessions'> & { db: Kysely<Database>; content: Manifest };

/** Restores the rows of a backup into an empty database, in the version in which they were written. */
export async function restoreDatabase({ db, content, ...restoring }: RestoringDatabase): Promise<void> {
  const { url, systemHigh, withoutSessions = false, ...sealed } = restoring;
  await migrateTo(db, content.schemaVersion);
  await loadDatabase({ url, sealed, manifest: content, systemHigh, withoutSessions });
}

async function checkCounts(db: Kysely<Database>, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const found = await sql<{ n: number }>`select count(*) as n from ${sql.raw(quoted(name))}`.execute(db);
    if (found.rows[0]?.n !== rows) throw new BackupDamaged(`Table ${name} does not have its ${rows} rows.`);
  }
}

async function checkAudit(db: Kysely<Database>, keys: PublicKeys): Promise<void> {
  const verifier = chainVerifier({ checkpoints: await storedCheckpoints(db), keys, isComplete: true });
  let after = { node: '', seq: 0 };
  for (;;) {
    const rows: ChainedRow[] = await db
      .selectFrom('audit')
      .selectAll()
      .where(sql<boolean>`(node, seq) > (${after.node}, ${after.seq})`)
      .orderBy('node')
      .orderBy('seq')
      .limit(AUDIT_PAGE)
      .$castTo<ChainedRow>()
      .execute();
    for (const row of rows) verifier.row(row);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last;
  }
  const [fault] = verifier.end().faults;
  if (fault) throw new BackupDamaged(`The audit is not intact: ${fault.text}`);
}
