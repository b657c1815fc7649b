import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { addBookmark, addCase, addNote } from '../../../test/cases.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { emptyDatabaseAt, testDatabaseAt } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor, addUser } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { rowInEachTable } from '../../../test/row-in-each-table.ts';
import { clusterFolder, layCluster } from '../../../test/scratch-cluster.ts';
import { auditCheckpoints } from '../../base/audit/checkpoints.ts';
import { auditDirectories } from '../../base/audit/directories.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import { signingKey } from '../../base/audit/signing-key.ts';
import { auditWriter } from '../../base/audit/writer.ts';
import { migrateTo } from '../../base/db/migrate.ts';
import type { Database } from '../../base/db/schema.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { storedFiles } from '../../base/stored/stored-files.ts';
import { dataFolder, readEntries } from './files.ts';
import { gzipped } from './gzip.ts';
import { removeBackups } from './keeper.ts';
import { makeBackup } from './make.ts';
import { type Proving, proveBackup } from './proof.ts';
import { restoreBackup } from './restore.ts';
import { BackupDamaged } from './seal.ts';
import { openSnapshot } from './snapshot.ts';
import { headers, type Manifest, objectKey, putSealed, readHeader, readManifest, readProof, setKey } from './target.ts';

const SYSTEM_HIGH = 5;
const FILES = 40;

type Installation = { db: Kysely<Database>; url: string; dataDir: string; files: Storage };

let from: Installation;
let folder: string;
let target: Storage;
let key: Buffer;

async function scratch(name: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `osprey-${name}-`));
  atEnd(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function installation(database: { db: Kysely<Database>; url: string }): Promise<Installation> {
  const dataDir = await scratch('data');
  return { ...database, dataDir, files: folderStorage({ root: join(dataDir, 'files') }) };
}

beforeEach(async () => {
  from = await installation(await testDatabaseAt());
  folder = await scratch('backups');
  target = folderStorage({ root: folder });
  key = randomBytes(32);
});

/** Accounts, labelled missions, an audit and files: what a backup has to bring back. */
async function fillIt({ db, files, dataDir }: Installation): Promise<void> {
  const author = await addUser(db, 'ana');
  let missionId = '';
  for (let i = 0; i < 25; i++) {
    missionId = await addMission(db, {
      name: `flight\t${i}\n"ä\\`,
      classification: 1 + (i % 5),
      author_id: author,
      state: 'Ready',
    });
  }
  const audit = requestAudit(auditWriter({ db, node: 'api', log: console }), asking, () => Date.now() * 1000);
  for (let i = 0; i < 300; i++) void audit.write({ action: 'user.update', subject: author });
  await audit.write({ action: 'login' });
  const stored: { storage_key: string; size_bytes: number; sha256: string }[] = [];
  for (let i = 0; i < FILES; i++) {
    const storage_key = `originals/s${i % 3}/${i}.ts`;
    const { sizeBytes, sha256 } = await files.put(storage_key, [randomBytes(1000 + i * 5000)]);
    stored.push({ storage_key, size_bytes: sizeBytes, sha256 });
  }
  await addFile(db, await addSensor(db, missionId), stored[0]!);
  await addDocument(db, stored[1]!);
  await files.put('indexes/s0/empty.json', []);
  await folderStorage({ root: dataDir }).put('keys/sessions.key', [Buffer.from('secret of sessions')]);
  await folderStorage({ root: dataDir }).put('keys/backup.key', [Buffer.from('key of backups')]);
  await files.put('uploads/half.part', [randomBytes(10)]);
  await rowInEachTable(db, notTaken);
  const { keys, checkpoints: file } = auditDirectories(dataDir);
  const places = { key: await signingKey(keys), file };
  await auditCheckpoints({ db, ...places, nowUs, nowMs: Date.now, log: console }).close();
}

/** Files that are kept: those of the audit are both halves of its key, and what was signed with it. */
const FILES_RETAINED = FILES + 2 + 3;

/** Tables that backups leave out: state of this database, derived rows, and checkpoints, which are signed files. */
const derived = ['coverage_sensors', 'coverage_minutes', 'coverage_seen', 'ais_minutes'];
const notTaken = ['backup_runs', 'uploads', 'audit_checkpoints', ...derived];

const asking = { actor: null, session: null, address: '' };
const nowUs = () => Date.now() * 1000;
const signal = new AbortController().signal;

const make = (name = '20260101-000000-manual', of = from) =>
  makeBackup({
    target,
    key,
    databaseUrl: of.url,
    data: dataFolder(of.dataDir, [folder]),
    // An older schema knows nothing of stored files.
    stored: of === from ? storedFiles({ db: of.db, nowUs }) : null,
    name,
    origin: 'manual',
    nowUs,
    progress: () => undefined,
    signal,
  });

const scratchFolder = clusterFolder('scratch');
atEnd(() => rm(scratchFolder, { recursive: true, force: true }));

async function prove(name: string, other: Partial<Proving> = {}): Promise<void> {
  await layCluster(scratchFolder);
  await proveBackup({
    target,
    key,
    name,
    scratchFolder,
    systemHigh: SYSTEM_HIGH,
    nowUs,
    auditKeys: new Map(),
    progress: () => undefined,
    signal,
    ...other,
  });
}

/** Replaces the sealed list of a backup's content. */
async function rewritten(name: string, change: (content: Manifest) => Partial<Manifest>): Promise<void> {
  const content = await readManifest({ target, key, name });
  const bytes = Buffer.from(JSON.stringify({ ...content, ...change(content) }));
  await putSealed({ target, key, name }, 'manifest.enc', Readable.from([bytes]));
}

async function restore(name: string): Promise<Installation> {
  const to = await installation(await emptyDatabaseAt());
  const { db, url, dataDir } = to;
  await restoreBackup({ target, key, name, db, url, dataDir, systemHigh: SYSTEM_HIGH, say: () => undefined });
  return to;
}

/** Each row of each table, as text; without what belongs to the one database only. */
async function rowsOf({ db }: Installation): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not like 'kysely%' and relname::text <> all (${['backup_runs', 'uploads', ...derived]}::text[])`.execute(
    db,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of rows) {
    const found = await sql<{ text: string }>`select t::text as text from ${sql.id(name)} t order by 1`.execute(db);
    all[name] = found.rows.map(({ text }) => text);
  }
  return all;
}

async function hashesOf(dataDir: string): Promise<Record<string, string>> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = files
    .filter((path) => !/uploads|backup\.key/.test(path))
    .map(async (path) => {
      const hash = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      return [path.slice(dataDir.length), hash] as const;
    });
  return Object.fromEntries(await Promise.all(hashes));
}

// Each proof makes a cluster of its own: that takes its time on a busy machine.
describe('a backup', { timeout: 120_000 }, () => {
  it('T-101 restored to an empty machine agrees in rows, files, labels and audit, and only then says verified', async () => {
    await fillIt(from);
    const made = await make();
    expect(await readProof(target, made.name)).toBeNull();

    await prove(made.name);
    const to = await restore(made.name);

    expect(await readProof(target, made.name)).toMatchObject({ error: null });
    const rows = await rowsOf(from);
    expect(await rowsOf(to)).toEqual(rows);
    expect(Object.keys(rows).filter((table) => rows[table]!.length === 0)).toEqual([]);
    const stored = ['missions', 'sensors', 'documents', 'annotations', 'ais_last', 'platforms', 'platform_sensors'];
    expect(stored.filter((table) => rows[table] === undefined)).toEqual([]); // S1-002
    expect(await hashesOf(to.dataDir)).toEqual(await hashesOf(from.dataDir));
    expect(Object.keys(await hashesOf(to.dataDir)).length).toBe(FILES_RETAINED);
    expect((await readdir(join(to.dataDir, 'keys'))).sort()).toEqual(['audit', 'sessions.key']);
    expect(made).toMatchObject({ files: FILES_RETAINED, withFiles: true });
  });

  it('T-101 fails its proof when a row of the audit was changed, or a table lacks a row', async () => {
    await fillIt(from);
    const whole = await make();
    await sql`update audit set item_label = 1 where seq = 100`.execute(from.db);
    const { name } = await make('20260102-000000-manual');

    await expect(prove(name)).rejects.toThrow('The audit is not intact: Row 100 is not as it was written.');
    expect((await readProof(target, name))?.error).toMatch(/^The audit is not intact/);

    await rewritten(whole.name, ({ tables }) => ({
      tables: tables.map((table) => (table.name === 'missions' ? { ...table, rows: table.rows + 1 } : table)),
    }));
    await expect(prove(whole.name)).rejects.toThrow('Table missions has 25 rows in place of 26.');
    expect((await readProof(target, whole.name))?.error).toMatch(/^Table missions/);
  });

  it('T-101 has a thousand of its files read from end to end by its proof', async () => {
    await from.files.put('originals/s/a.ts', [randomBytes(10)]);
    const { name } = await make();
    let list = '';
    for await (const entry of readEntries({ target, key, name })) list = `${JSON.stringify(entry)}\n`.repeat(1100);
    await putSealed({ target, key, name }, 'files.enc', gzipped(Readable.from([Buffer.from(list)])));
    await rewritten(name, () => ({ files: { count: 1100, bytes: 11_000 } }));
    let reads = 0;
    const counted: Storage = {
      ...target,
      read(place, range) {
        if (place.startsWith('objects/')) reads += 1;
        return target.read(place, range);
      },
    };
    // The database comes after the files.
    const progress = (percent: number) => {
      if (percent >= 60) throw new Error('all files are read');
    };

    await expect(prove(name, { target: counted, progress })).rejects.toThrow('all files are read');

    expect(reads).toBe(1000);
  });

  it('is of one moment, for any writes while it is made', async () => {
    const add = async (name: string) => {
      await addMission(from.db, { name: `mission ${name}` });
      await addUser(from.db, `user ${name}`);
    };
    await add('before');
    const snapshot = await openSnapshot(from.url);
    const copied = async (name: string) => {
      const { stream, rows } = snapshot.copy(snapshot.tables.find((table) => table.name === name)!);
      const text = String(await buffer(stream));
      expect(text.trimEnd().split('\n')).toHaveLength(rows());
      return text;
    };
    try {
      await add('later');
      const missions = await copied('missions');
      await add('later still');
      const users = await copied('users');

      expect([missions, users].map((text) => text.includes('before'))).toEqual([true, true]);
      expect(missions + users).not.toContain('later');
    } finally {
      await snapshot.close();
    }
  });

  it('T-101 fails its proof for one flipped byte in any of its files', async () => {
    await from.files.put('originals/s/a.ts', [randomBytes(5000)]);
    const { name } = await make();
    const paths: string[] = [];
    for (const place of [`sets/${name}`, 'objects']) for await (const one of target.list(place)) paths.push(one.key);
    const sealedPaths = paths.filter((path) => path.endsWith('.enc') || path.startsWith('objects/'));
    // A damaged table takes a database to check, so one represents all; every other file is damaged in turn.
    const tried = sealedPaths.filter((path) => !path.includes('/tables/') || path.endsWith('/users.enc'));
    expect(tried.length).toBeGreaterThan(3);

    for (const path of tried) {
      const whole = await readFile(target.path(path));
      const damaged = Buffer.from(whole);
      damaged[Math.floor(damaged.length * 0.7)]! ^= 4;
      await writeFile(target.path(path), damaged);

      await expect(prove(name), path).rejects.toThrow(BackupDamaged);
      expect((await readProof(target, name))?.error, path).toMatch(/damaged|missing/);
      await writeFile(target.path(path), whole);
    }
    await prove(name);
    expect(await readProof(target, name)).toMatchObject({ error: null });
  });

  it('T-101 cannot be read without the key', async () => {
    const secret = 'OPERATION-KESTREL';
    await addMission(from.db, { name: secret });
    await from.files.put('originals/s/a.ts', [Buffer.from(secret)]);
    const { name } = await make();

    await expect(prove(name, { key: randomBytes(32) })).rejects.toThrow('was made with another key');
    for await (const { key: place } of target.list(`sets/${name}`)) {
      expect((await readFile(target.path(place))).includes(secret), place).toBe(false);
    }
    const bytes = createHash('sha256').update(secret).digest('hex');
    for await (const { key: place } of target.list('objects')) {
      expect(place).not.toContain(bytes);
      expect((await readFile(target.path(place))).includes(secret)).toBe(false);
    }
  });

  it('holds content that did not change once, and gives it up with the last backup that needs it', {
    tags: 'long',
  }, async () => {
    await fillIt(from);
    const first = await make('20260101-000000-manual');
    await from.files.put('originals/s9/new.ts', [randomBytes(20_000)]);
    await from.files.remove('originals/s2/2.ts');
    const second = await make('20260102-000000-manual');
    const database = second.sizeBytes - (first.sizeBytes - first.newBytes);

    expect(first.newBytes).toBeGreaterThan(3_000_000);
    expect(second.newBytes).toBeLessThan(200_000);
    expect(database).toBeGreaterThan(0);
    await removeBackups(target, [first.name]);
    await prove(second.name);
    const to = await restore(second.name);
    expect(await hashesOf(to.dataDir)).toEqual(await hashesOf(from.dataDir));
    await removeBackups(target, [second.name]);
    expect(await headers(target)).toEqual([]);
    const left: string[] = [];
    for await (const one of target.list('objects')) left.push(one.key);
    expect(left).toEqual([]);
  });

  it('does not lean on an earlier one that was found damaged', { tags: 'long' }, async () => {
    await from.files.put('originals/s/a.ts', [randomBytes(50_000)]);
    const first = await make('20260101-000000-manual');
    for await (const { key: place } of target.list('objects')) {
      const bytes = await readFile(target.path(place));
      bytes[bytes.length - 20]! ^= 1;
      await writeFile(target.path(place), bytes);
    }
    await expect(prove(first.name)).rejects.toThrow(BackupDamaged);

    const second = await make('20260102-000000-manual');

    await prove(second.name);
    await prove(first.name);
  });

  it('leaves out live video that is only held for rewinding, logs and what is half received, and keeps journals', async () => {
    const data = folderStorage({ root: from.dataDir });
    const retained = ['live/journals/m.json', 'live/orders.json', 'files/originals/s/1.ts'];
    const left = [
      'live/ring/s/1.ts',
      'live/recorder.log',
      'live/recorder.log.1',
      'live/recorder.lock',
      'files/uploads/u.part',
      'files/imports/t.zip',
      'files/exports/t.zip',
      'files/lost/2026-01-01/originals/s/2.ts',
    ];
    for (const key of [...retained, ...left]) await data.put(key, [Buffer.from(key)]);

    const found: string[] = [];
    for await (const { key: place } of dataFolder(from.dataDir, [folder]).entries()) found.push(place);

    expect(found.sort()).toEqual(retained.sort());
  });

  it('misses a file that is not there any more', async () => {
    await from.files.put('originals/s/a.ts', [randomBytes(5000)]);
    const { name } = await make();
    for await (const { key: place } of target.list('objects')) await target.remove(place);

    await expect(prove(name)).rejects.toThrow('The file files/originals/s/a.ts is missing.');
    await expect(restore(name)).rejects.toThrow();
    // The header of a backup is not sealed: a forged one must not make the restore leave out the files.
    const header = await readHeader(target, name);
    await target.put(setKey(name, 'backup.json'), [Buffer.from(JSON.stringify({ ...header, withFiles: false }))]);
    await expect(prove(name)).rejects.toThrow('The file files/originals/s/a.ts is missing.');
    await expect(restore(name)).rejects.toThrow();
    expect(objectKey('ab12')).toBe('objects/ab/ab12');
  });

  it('that was broken off is none: no header, and nothing of it is listed', async () => {
    await fillIt(from);
    const aborted = new AbortController();
    const making = makeBackup({
      target,
      key,
      databaseUrl: from.url,
      data: dataFolder(from.dataDir, [folder]),
      stored: null,
      name: '20260101-000000-manual',
      origin: 'manual',
      nowUs,
      progress: (percent) => percent > 30 && aborted.abort(new Error('stopped')),
      signal: aborted.signal,
    });

    await expect(making).rejects.toThrow('stopped');

    expect(await headers(target)).toEqual([]);
    expect(await target.stat(setKey('20260101-000000-manual', 'manifest.enc'))).toBeNull();
  });

  it('of an older version of the schema is restored and brought to this one', { tags: 'long' }, async () => {
    const old = await installation(await emptyDatabaseAt());
    await migrateTo(old.db, '0002-rights-notices');
    await sql`insert into usergroups (name, classification, created) values ('Old group', 3, 1)`.execute(old.db);
    await sql`insert into users (username, username_key, role, clearance, registered)
      values ('old hand', 'old hand', 'admin', 4, 1)`.execute(old.db);
    const made = await make('20260101-000000-manual', old);
    expect(made.schemaVersion).toBe('0002-rights-notices');

    await prove(made.name);
    const to = await restore(made.name);

    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(to.db);
    const now = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(from.db);
    expect(rows).toEqual(now.rows);
    expect(await to.db.selectFrom('users').select(['username', 'clearance']).execute()).toEqual([
      { username: 'old hand', clearance: 4 },
    ]);
    expect(await to.db.selectFrom('usergroups').select('name').execute()).toEqual([{ name: 'Old group' }]);
  });

  it.each(['0001-start', '0004-people', '0007-keeping', '0012-api-credentials', '0018-documents-by-type'])(
    'of version %s with a row in each of its tables is restored without losing one',
    { tags: 'long' },
    async (version) => {
      const old = await installation(await emptyDatabaseAt());
      await migrateTo(old.db, version);
      const tables = await rowInEachTable(old.db, notTaken);
      const { name } = await make('20260101-000000-manual', old);

      const restored = await rowsOf(await restore(name));

      expect(tables.length).toBeGreaterThan(10);
      expect(tables.filter((table) => restored[table]?.length !== 1)).toEqual([]);
    },
  );

  it('T-102 without label fields restores every item unmarked, at the highest label, without an audience', async () => {
    await addMission(from.db, { name: 'plain' });
    await addDocument(from.db);
    await addPlatform(from.db, { audience: 'everyone' });
    // Without any folder of stored files their disk would count as away.
    await mkdir(join(from.dataDir, 'files/documents'), { recursive: true });
    const items = ['missions', 'documents', 'platforms'] as const;
    for (const table of items) {
      await sql`alter table ${sql.id(table)} drop column classification cascade, drop column marked cascade,
        drop column audience cascade`.execute(from.db);
    }
    const { name } = await make();

    const to = await restore(name);

    for (const table of items) {
      const rows = await to.db.selectFrom(table).select(['classification', 'marked', 'audience']).execute();
      expect(rows, table).toEqual([{ classification: SYSTEM_HIGH, marked: false, audience: 'groups' }]);
    }
    await expect(addMission(to.db, { name: 'later', classification: 1 })).resolves.toBeDefined();
    const later = to.db.selectFrom('missions').select(['marked', 'audience']).where('name', '=', 'later');
    expect(await later.executeTakeFirst()).toEqual({ marked: true, audience: 'everyone' });
  });

  it('is not taken by a server that does not know its version', async () => {
    const { name } = await make();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(from.db);
    const future = await make('20260102-000000-manual');

    await expect(restore(future.name)).rejects.toThrow('9999-future was made by a newer version');
    await expect(restore(name)).resolves.toBeDefined();
  });

  it('brings back scripts, not the sessions of browsers', async () => {
    const user_id = await addUser(from.db, 'ana');
    const row = { user_id, created: 1, last_used: 1, expires: 9e15, client: '', address: '' };
    const rows = [
      { ...row, secret_hash: randomBytes(32), cookie_hash: null },
      { ...row, secret_hash: randomBytes(32), cookie_hash: randomBytes(32) },
    ];
    await from.db.insertInto('credentials').values(rows).execute();

    const to = await restore((await make()).name);

    expect(await to.db.selectFrom('credentials').select('cookie_hash').execute()).toEqual([{ cookie_hash: null }]);
  });

  it('brings back cases: their labels follow their parts again, and their numbers go on', async () => {
    const caseId = await addCase(from.db, { name: 'Smugglers', held: true });
    const mission_id = await addMission(from.db, { state: 'Ready' });
    const bookmark_id = await addBookmark(from.db, mission_id);
    await addNote(from.db, caseId, { kind: 'bookmark', mission_id, subject_id: bookmark_id, remark: 'See the mast' });
    const words = { case_id: caseId, author_id: null, author: 'ana', text: 'Two boats', created: 1 };
    await from.db.insertInto('case_comments').values(words).execute();

    const { db } = await restore((await make()).name);

    for (const table of ['cases', 'case_parts', 'case_comments', 'case_holds'] as const) {
      const [before, after] = [from.db, db].map((one) => one.selectFrom(table).selectAll().execute());
      expect(await after, table).toEqual(await before);
    }
    await db.updateTable('missions').set({ classification: 4 }).execute();
    expect(await db.selectFrom('cases').select('classification').execute()).toEqual([{ classification: 4 }]);
    const next = await addCase(db, { name: 'Next' });
    const { number } = await db.selectFrom('cases').select('number').where('id', '=', next).executeTakeFirstOrThrow();
    expect(number).toBe(2);
  });

  it('leaves generated columns to the database, and continues numbers after the highest one', async () => {
    const counted = sql`create table counted (id bigint generated always as identity primary key, twice bigint
      generated always as (id * 2) stored)`;
    await counted.execute(from.db);
    for (let i = 0; i < 3; i++) await sql`insert into counted default values`.execute(from.db);
    const { name } = await make();
    await expect(restore(name)).rejects.toThrow('has a table counted that its version has not');
    const to = await installation(await emptyDatabaseAt());
    await counted.execute(to.db);

    await restoreBackup({ target, key, name, ...to, systemHigh: SYSTEM_HIGH, say: () => undefined });

    await sql`insert into counted default values`.execute(to.db);
    const { rows } = await sql`select id, twice from counted order by id`.execute(to.db);
    expect(rows).toEqual([1, 2, 3, 4].map((id) => ({ id, twice: id * 2 })));
  });
});
