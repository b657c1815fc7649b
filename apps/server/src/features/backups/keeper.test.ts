import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { addFile, addMission, addSensor, addUser } from '../../../test/missions.ts';
import { clusterFolder, layCluster } from '../../../test/scratch-cluster.ts';
import type { AuditNote } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import type { BackupsKnown } from '../../base/db/settings.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type StoredFiles, storedFiles } from '../../base/stored/stored-files.ts';
import { backupFolder } from './backup-folder.ts';
import { backupList } from './facts.ts';
import { dataFolder } from './files.ts';
import { type BackupKeeper, backupKeeper } from './keeper.ts';
import { makeBackup } from './make.ts';
import { type BackupRuns, backupRuns } from './runs.ts';
import { type BackupHeader, headers, setKey } from './target.ts';

const DAY_US = 24 * 3600 * 1e6;
/** Each proof starts a cluster of its own: that takes its time on a busy machine. */
const LONG = { timeout: 120_000 };
const us = (iso: string) => Date.parse(iso) * 1000;

let url: string;
let db: Kysely<Database>;
let target: Storage;
let folder: string;
let dataDir: string;
let runs: BackupRuns;
let stored: StoredFiles;
let notes: AuditNote[];
let shouted: string[];
let known: BackupsKnown | null;
/** The clock on the wall. */
let now: number;
const key = randomBytes(32);
const nowUs = () => now;
const scratchFolder = clusterFolder('scratch-keeper');

async function scratch(name: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `osprey-${name}-`));
  atEnd(() => rm(made, { recursive: true, force: true }));
  return made;
}

beforeEach(async () => {
  const database = await testDatabaseAt();
  ({ db, url } = database);
  [folder, dataDir] = [await scratch('backups'), await scratch('data')];
  target = folderStorage({ root: folder });
  runs = backupRuns({ db: database.db, nowUs });
  stored = storedFiles({ db: database.db, nowUs });
  [notes, shouted] = [[], []];
  known = null;
  now = us('2026-03-01T12:00:00Z');
});

function started(options: { schedule?: string | null; keep?: number; target?: Storage } = {}): BackupKeeper {
  const keeper = backupKeeper({
    db,
    target,
    disk: backupFolder({ folder, dataDir }),
    key: async () => key,
    data: dataFolder(dataDir, [folder]),
    stored,
    databaseUrl: url,
    scratchFolder,
    systemHigh: 5,
    // Asked for before each proof, which removes its cluster.
    auditKeys: async () => {
      await layCluster(scratchFolder);
      return new Map();
    },
    runs,
    schedule: '01:30',
    keep: 1,
    nowUs,
    changed: () => undefined,
    itemChanged: () => undefined,
    failed: (_name, text) => shouted.push(text),
    audit: { write: async (note) => void notes.push(note) },
    log: { error: () => undefined },
    ...options,
  });
  keeper.start();
  atEnd(keeper.stop);
  return keeper;
}

const made = (name: string, origin: BackupHeader['origin'], created: number) =>
  makeBackup({
    ...{ target, key, databaseUrl: url, name, origin },
    data: origin === 'migration' ? null : dataFolder(dataDir, [folder]),
    stored,
    nowUs: () => created,
    progress: () => undefined,
    signal: new AbortController().signal,
  });

const listed = (from = target) =>
  backupList({
    ...{ target: from, disk: backupFolder({ folder, dataDir }), runs, folder, nowUs, schedule: null, keep: 1 },
    sameDisk: async () => false,
    known: {
      read: async () => known,
      write: async (found) => {
        known = found;
      },
    },
    keyUnseen: async () => false,
    damaged: stored.open,
    installed: async () => now - 8 * DAY_US,
  });

const namesThere = async () => (await headers(target)).map(({ name }) => name);
const done = () => notes.map(({ action, result, reason }) => `${action} ${result} ${reason}`);
const isDone = (line: string) => expect.poll(done, LONG).toContain(line);

/** The keeper looks what is due before it takes what was ordered. */
async function hasLooked(): Promise<void> {
  const name = `look-${crypto.randomUUID()}`;
  await expect.poll(() => runs.request('delete', name, 'manual', null), LONG).not.toBeNull();
  await isDone(`backup.delete done ${name}`);
}

describe('the keeper of backups', LONG, () => {
  it('makes one that was missed, then one a day at its hour, and leaves as many as it may keep of its own', async () => {
    await made('20260201-000000-manual', 'manual', us('2026-02-01T00:00:00Z'));
    started();
    await isDone('backup.create done 20260301-120000-schedule');

    now = us('2026-03-02T01:29:59Z');
    await hasLooked();
    expect(await namesThere()).toEqual(['20260301-120000-schedule', '20260201-000000-manual']);
    now = us('2026-03-02T01:30:00Z');
    await isDone('backup.create done 20260302-013000-schedule');
    await hasLooked();

    expect(await namesThere()).toEqual(['20260302-013000-schedule', '20260201-000000-manual']);
    expect(done().filter((line) => line.startsWith('backup.create'))).toHaveLength(2);
    expect((await runs.all()).filter(({ kind }) => kind === 'create').map(({ created }) => created)).toEqual([now]);
    expect(shouted).toEqual([]);
  });

  it('shouts that one failed, keeps those before it, and tries again the day after', async () => {
    await made('20260201-000000-schedule', 'schedule', us('2026-02-01T00:00:00Z'));
    const full = async () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    started({ target: { ...target, put: full } });
    const text = 'The disk of the backups is full.';

    await isDone(`backup.create failed 20260301-120000-schedule: ${text}`);
    await hasLooked();
    expect(shouted).toEqual([text]);
    now += DAY_US;
    await isDone(`backup.create failed 20260302-120000-schedule: ${text}`);

    expect(await namesThere()).toEqual(['20260201-000000-schedule']);
  });

  it('shouts that one was cut off where the server was killed, leaves nothing of it, and makes the next', {
    tags: 'long',
  }, async () => {
    await writeFile(join(dataDir, 'a.json'), randomBytes(1000));
    const half = '20260301-110000-manual';
    await runs.request('create', half, 'manual', null);
    // The state that a killed process leaves.
    expect(await runs.take()).toMatchObject({ name: half });
    await target.put(setKey(half, 'tables/users.enc'), [randomBytes(100)]);

    started({ schedule: null });
    await isDone(`backup.create failed ${half}: The server stopped before the backup was whole.`);
    await runs.request('create', '20260301-120000-manual', 'manual', null);
    await isDone('backup.create done 20260301-120000-manual');

    expect(shouted).toEqual(['The server stopped before the backup was whole.']);
    expect(await namesThere()).toEqual(['20260301-120000-manual']);
    expect(await target.stat(setKey(half, 'tables/users.enc'))).toBeNull();
    // The run is ended after its audit row.
    const states = async () => (await listed().all()).map(({ name, state }) => [name, state]);
    await expect.poll(states, LONG).toEqual([
      ['20260301-120000-manual', 'verified'],
      [half, 'failed'],
    ]);
  });

  it('shouts once that its folder does not answer, keeps a failed run of it, and tries again the day after', async () => {
    const gone = Object.assign(new Error('stale file handle'), { code: 'ESTALE' });
    const away: Storage = {
      ...target,
      // biome-ignore lint/correctness/useYield: it fails before there is anything
      async *list() {
        throw gone;
      },
    };
    started({ target: away });
    const text = 'The folder of the backups cannot be used (ESTALE).';

    await isDone(`backup.create failed 20260301-120000-schedule: ${text}`);
    // Removing fails there too; it comes after another look whether one is due.
    await runs.request('delete', 'another', 'manual', null);
    await isDone(`backup.delete failed another: ${text}`);
    expect(done().filter((line) => line.startsWith('backup.create'))).toHaveLength(1);
    expect(await listed(away).facts()).toMatchObject({ warning: text, last: { state: 'failed', error: text } });
    expect(await listed(away).all()).toMatchObject([{ name: '20260301-120000-schedule', state: 'failed' }]);

    now += DAY_US;
    await isDone(`backup.create failed 20260302-120000-schedule: ${text}`);
    expect(shouted).toEqual([text, text, text]);
  });

  it('puts nothing into the empty place of a disk that is away, and says so until the disk is back', {
    tags: 'long',
  }, async () => {
    started();
    await isDone('backup.create done 20260301-120000-schedule');
    const before = await listed().facts();
    expect(before).toMatchObject({ count: 1, awaySince: null });
    await rename(folder, `${folder}-unmounted`);
    atEnd(() => rm(`${folder}-unmounted`, { recursive: true, force: true }));
    await mkdir(folder);

    now += DAY_US;
    await expect.poll(() => shouted, LONG).toHaveLength(1);
    expect(shouted[0]).toContain(`${folder} is not the folder that held the backups: is its disk mounted?`);
    expect(await namesThere()).toEqual([]);
    const { lastVerified } = before;
    const away = { count: 1, lastVerified, awaySince: now, warning: shouted[0], last: { state: 'failed' } };
    expect(await listed().facts()).toMatchObject(away);
    now += DAY_US / 2;
    // Since when it was first seen, also after a restart.
    expect(await listed().facts()).toMatchObject({ count: 1, awaySince: away.awaySince });

    await rm(folder, { recursive: true });
    await rename(`${folder}-unmounted`, folder);
    now += DAY_US / 2;
    await isDone('backup.create done 20260303-120000-schedule');
    // The run is ended after its audit row.
    const back = { warning: null, awaySince: null, last: { state: 'verified' } };
    await expect.poll(() => listed().facts(), LONG).toMatchObject(back);
  });

  it('goes on in a new disk that was marked by hand', { tags: 'long' }, async () => {
    started();
    await isDone('backup.create done 20260301-120000-schedule');
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeFile(join(folder, 'osprey-backups'), '');

    now += DAY_US;
    await isDone('backup.create done 20260302-120000-schedule');

    expect([await namesThere(), shouted]).toEqual([['20260302-120000-schedule'], []]);
  });

  it('says that one is incomplete until each damaged file is back or its loss is accepted', async () => {
    const sensorId = await addSensor(db, await addMission(db));
    const place = `originals/${sensorId}`;
    const files = folderStorage({ root: join(dataDir, 'files') });
    const [lost, retained] = [randomUUID(), randomUUID()];
    await addFile(db, sensorId, { id: lost, storage_key: `${place}/${lost}.ts`, sha256: '0'.repeat(64) });
    const { sizeBytes, sha256 } = await files.put(`${place}/${retained}.ts`, [randomBytes(1000)]);
    await addFile(db, sensorId, {
      id: retained,
      storage_key: `${place}/${retained}.ts`,
      size_bytes: sizeBytes,
      sha256,
    });
    await made('20260201-000000-manual', 'manual', now - 9 * DAY_US);
    await truncate(files.path(`${place}/${retained}.ts`), 10);
    started({ schedule: null });
    const name = '20260301-120000-manual';
    const state = async () => (await listed().all())[0]!;

    await runs.request('create', name, 'manual', null);
    await isDone(`backup.create incomplete ${name}`);

    expect(done()).toContain(`file.damaged found files/${place}/${retained}.ts: 10 of 1,000 bytes are left`);
    expect(shouted[0]).toMatch(
      /^Backup 20260301-120000-manual is incomplete: 2 stored files of the server are damaged/,
    );
    await expect.poll(state, LONG).toMatchObject({ state: 'incomplete', damaged: 2, verified: null });
    expect(await listed().facts()).toMatchObject({ lastVerified: null, last: { state: 'incomplete' } });
    expect((await listed().facts()).warning).toMatch(/^The last backup is incomplete: 2 stored files/);

    const asked = () => runs.request('restore', `${place}/${retained}.ts`, 'manual', null, retained);
    await expect.poll(asked, LONG).not.toBeNull();
    await isDone(`backup.restore done ${place}/${retained}.ts`);
    expect(await state()).toMatchObject({ name, state: 'incomplete', damaged: 1 });
    const by = await addUser(db, 'ana');
    await stored.accept({ noun: 'files', id: lost }, { by, reason: 'Its disk is gone' });

    expect(await state()).toMatchObject({ state: 'verified', damaged: 0, verified: now });
    expect(await listed().facts()).toMatchObject({ lastVerified: now, warning: null });
  });

  it('makes none by itself where no hour is set', async () => {
    started({ schedule: null });
    await hasLooked();

    expect(await namesThere()).toEqual([]);
    expect(await runs.lastCreated('schedule')).toBeNull();
  });

  it('is not kept from it by a backup that a clock running ahead has dated into the future', async () => {
    now = us('2031-01-01T12:00:00Z');
    await runs.end((await runs.request('create', '20310101-120000-schedule', 'schedule', null))!.id, null);
    now = us('2026-03-01T12:00:00Z');
    started({ target: { ...target, put: () => Promise.reject(new Error('not here')) } });

    await expect.poll(() => shouted, LONG).toHaveLength(1);
    expect(await runs.lastCreated('schedule')).toBe(now);
  });

  it('warns when the last verified backup is a week old', async () => {
    const [name, time] = ['20260301-120000-manual', now];
    await made(name, 'manual', time);
    await target.put(setKey(name, 'verified.json'), [Buffer.from(JSON.stringify({ time, error: null }))]);

    now += 7 * DAY_US - 1;
    expect(await listed().facts()).toMatchObject({ lastVerified: time, warning: null });
    now += 1;
    expect((await listed().facts()).warning).toBe('The last verified backup is 7 days old.');
  });

  it('goes on with another one whose header is damaged, which stays, is listed, and can be deleted', {
    tags: 'long',
  }, async () => {
    const whole = '20260201-000000-manual';
    const damaged = '20260202-000000-manual';
    const before = '20260203-000000-migration';
    await writeFile(join(dataDir, 'a.json'), randomBytes(1000));
    await made(whole, 'manual', now);
    await made(damaged, 'manual', now);
    // A backup before a migration holds the database alone, and so no list of files.
    await made(before, 'migration', now);
    await target.put(setKey(before, 'verified.json'), [Buffer.from(JSON.stringify({ time: now, error: null }))]);
    await target.put(setKey(damaged, 'backup.json'), [Buffer.from('{')]);
    started({ schedule: null });

    await runs.request('delete', whole, 'manual', null);
    await isDone(`backup.delete done ${whole}`);
    await expect.poll(() => runs.request('create', '20260301-120000-manual', 'manual', null), LONG).not.toBeNull();
    await isDone('backup.create done 20260301-120000-manual');

    expect(await target.stat(setKey(damaged, 'manifest.enc'))).not.toBeNull();
    const states = async () => (await listed().all()).map(({ name, state }) => [name, state]);
    await expect.poll(states, LONG).toEqual([
      ['20260301-120000-manual', 'verified'],
      [before, 'verified'],
      [damaged, 'failed'],
    ]);
    await runs.request('delete', damaged, 'manual', null);
    await isDone(`backup.delete done ${damaged}`);
    expect(await target.stat(setKey(damaged, 'manifest.enc'))).toBeNull();
    expect(shouted).toEqual([]);
  });

  it('proves every backup that was made before a migration, which is none of the whole server', {
    tags: 'long',
  }, async () => {
    await made('20260228-000000-migration', 'migration', now - DAY_US);
    await made('20260227-000000-migration', 'migration', now - 2 * DAY_US);
    started({ schedule: null, keep: 1 });

    await isDone('backup.verify done 20260228-000000-migration');
    await isDone('backup.verify done 20260227-000000-migration');

    expect(await namesThere()).toHaveLength(2);
    expect(await listed().facts()).toMatchObject({
      count: 2,
      lastVerified: null,
      warning: 'There is no verified backup of this server.',
    });
  });
});
