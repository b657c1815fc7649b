import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { sweepDocuments } from '../documents/sweep.ts';
import { compareFiles } from './compare-files.ts';
import { removeDoomed } from './leftovers.ts';
import { putOrphansAside } from './orphans.ts';

const HOUR_MS = 3_600_000;
const DAY_US = 24 * HOUR_MS * 1000;
/** A day after the files of a test were written. */
const laterMs = Date.now() + 25 * HOUR_MS;
const day = new Date(laterMs).toISOString().slice(0, 10);

async function keeping() {
  const root = await mkdtemp(join(tmpdir(), 'osprey-orphans-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const storage = folderStorage({ root });
  const db = await testDatabase();

  async function put(key: string): Promise<string> {
    await storage.put(key, [new Uint8Array(100)]);
    return key;
  }

  /** A mission, its sensor and its file, in all the places that they have. */
  async function recorded() {
    const mission = await addMission(db);
    const sensor = await addSensor(db, mission, { state: 'Ready' });
    const id = await addFile(db, sensor, { storage_key: 'unknown yet', size_bytes: 100 });
    const key = await put(`originals/${sensor}/${id}.ts`);
    await db.updateTable('files').set({ storage_key: key }).where('id', '=', id).execute();
    const derived = [`indexes/${sensor}/a.json`, `renditions/${sensor}/${id}.ts`, `pictures/${mission}/a.jpg`];
    return { sensor, key, keys: [key, ...(await Promise.all(derived.map(put)))] };
  }

  async function documented(deletedTime: number | null = null): Promise<string> {
    return put(`documents/${await addDocument(db, { deleted_time: deletedTime })}/original`);
  }

  async function keysOf(folder: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of storage.list(folder)) keys.push(key);
    return keys.sort();
  }

  return { db, storage, put, recorded, documented, keysOf };
}

describe('files that no row owns', () => {
  it('are put aside by the day after a day, never removed; what rows own stays', async () => {
    const { db, storage, put, recorded, documented, keysOf } = await keeping();
    const { keys, sensor } = await recorded();
    const owned = [...keys, await documented()];
    const id = () => crypto.randomUUID();
    const orphans = [
      ...(await Promise.all(
        ['originals', 'indexes', 'renditions', 'pictures', 'documents'].map((top) => put(`${top}/${id()}/a.ts`)),
      )),
      await put(`originals/${sensor}/${id()}.ts`),
    ].sort();

    expect(await putOrphansAside({ db, storage }, Date.now() + 23 * HOUR_MS)).toEqual([]);
    const moved = await putOrphansAside({ db, storage }, laterMs);

    expect(moved.sort()).toEqual(orphans);
    expect(await keysOf('lost')).toEqual(orphans.map((key) => `lost/${day}/${key}`));
    for (const key of owned) expect(await storage.stat(key), key).not.toBeNull();
    expect(await putOrphansAside({ db, storage }, laterMs + 1000 * HOUR_MS)).toEqual([]);
    expect(await keysOf('lost')).toHaveLength(orphans.length);
  });

  it('are left where an upload is about to become them, and where one file of the folder is young', async () => {
    const { db, storage, put, recorded } = await keeping();
    const { sensor } = await recorded();
    const id = crypto.randomUUID();
    const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const times = { created: 0, updated: 0 };
    const upload = { id, user_id: user.id, sensor_id: null, name: 'a.ts', storage_key: `uploads/${id}.part` };
    await db
      .insertInto('uploads')
      .values({ ...upload, ...times, size_bytes: 100, last_modified: null })
      .execute();
    const waiting = [await put(`documents/${id}/original`), await put(`originals/${sensor}/${id}.ts`)];

    expect(await putOrphansAside({ db, storage }, laterMs)).toEqual([]);

    for (const key of waiting) expect(await storage.stat(key), key).not.toBeNull();
  });

  it('are removed and not kept if a user deleted them for good', async () => {
    const { db, storage, documented, put, keysOf } = await keeping();
    // The bin of documents keeps them for 30 days.
    const nowUs = Date.now() * 1000;
    const young = await documented(nowUs - 29 * DAY_US);
    const old = await documented(nowUs - 31 * DAY_US);
    const mission = crypto.randomUUID();
    const picture = await put(`pictures/${mission}/a.jpg`);
    await db
      .insertInto('doomed_folders')
      .values({ folder: `pictures/${mission}`, since: 0 })
      .execute();

    await sweepDocuments({ db, nowUs: () => nowUs, log: { info: () => undefined } });
    expect(await putOrphansAside({ db, storage }, laterMs)).toEqual([]);
    await removeDoomed({ db, storage });

    expect(await Promise.all([young, old, picture].map(storage.stat))).toEqual([expect.anything(), null, null]);
    expect(await keysOf('lost')).toEqual([]);
  });
});

describe('rows and files', () => {
  it('are compared: rows without a file are named, lost files are counted, nothing is changed', async () => {
    const { db, storage, put, recorded, documented } = await keeping();
    const complete = await recorded();
    await documented();
    expect(await compareFiles({ db, storage })).toEqual({
      lost: { files: 0, bytes: 0 },
      missing: [],
    });
    const { key } = await recorded();
    const document = await documented();
    for (const gone of [key, document]) await storage.remove(gone);
    await put(`lost/${day}/originals/a/b.ts`);

    const found = await compareFiles({ db, storage });

    expect(found).toEqual({
      lost: { files: 1, bytes: 100 },
      missing: [
        expect.objectContaining({ noun: 'files', key }),
        expect.objectContaining({ noun: 'documents', key: document }),
      ],
    });
    const rows = await db.selectFrom('files').select('storage_key').execute();
    expect(rows.map((row) => row.storage_key).sort()).toEqual([key, complete.key].sort());
  });
});
