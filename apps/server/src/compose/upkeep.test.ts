import { utimesSync } from 'node:fs';
import { EXPORT_RETENTION_MS } from '@osprey/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { addDocument } from '../../test/documents.ts';
import { addFile, addMission, addSensor } from '../../test/missions.ts';
import { askAs } from '../../test/recordings.ts';
import { testServer } from '../../test/server.ts';
import { readSetting } from '../base/db/settings.ts';
import { ffmpegTools } from '../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../base/ffmpeg/sandbox.ts';
import { documentFolder } from '../features/documents/pictures.ts';
import { upkeep } from './upkeep.ts';

const HOUR_MS = 3_600_000;
const FILES_MS = 5000;
const DAY_US = 24 * 3_600_000_000;

/** Timers of api and worker, so that a test can run them at once. */
const timers: { run: () => void; everyMs: number | undefined }[] = [];
const { setInterval: real } = globalThis;
vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, everyMs?: number) => {
  timers.push({ run, everyMs });
  return real(run, everyMs);
}) as typeof setInterval);
const server = await testServer();
const { db, groups, dependencies } = server;
const { storage } = dependencies;
const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
const worker = upkeep({ ...dependencies, ffmpeg });
afterAll(() => worker.stop());

/** Advances the clock by this much. */
function passed(ms: number): void {
  for (const { run, everyMs } of timers) if (everyMs === ms) run();
}

const ago = (days: number) => dependencies.nowUs() - days * DAY_US;
async function keysIn(folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(folder)) keys.push(key);
  return keys;
}

async function putOld(key: string): Promise<string> {
  await storage.put(key, [new Uint8Array(188)]);
  const old = new Date(Date.now() - 48 * HOUR_MS);
  utimesSync(storage.path(key), old, old);
  return key;
}

/** A mission of G1 with one file. */
async function recorded(name: string, fields: Parameters<typeof addMission>[1]) {
  const id = await addMission(db, { name, audience: 'groups', classification: 2, state: 'Ready', ...fields });
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G1 }).execute();
  const sensor = await addSensor(db, id, { state: 'Ready' });
  const file = crypto.randomUUID();
  const key = await putOld(`originals/${sensor}/${file}.ts`);
  await addFile(db, sensor, { id: file, storage_key: key });
  return { id, key };
}

const inBin = async (id: string) => {
  const row = await db.selectFrom('missions').select('deleted_time').where('id', '=', id).executeTakeFirst();
  return row === undefined ? 'gone' : row.deleted_time !== null;
};
const auditOf = (id: string) =>
  db
    .selectFrom('audit')
    .select(['action', 'item_label', 'groups', 'reason', 'node'])
    .where('item_id', '=', id)
    .execute();

it('moves to the bin what a rule says and removes for good what was there for 30 days, at the start and every hour', async () => {
  const rule = await askAs(server, 'SA').post('/api/retention/rules', { usergroup: groups.G1, days: 30 });
  expect(rule.status).toBe(200);
  for (const [turn, meanwhile] of [
    [() => worker.start(), () => undefined],
    [async () => undefined, () => passed(HOUR_MS)],
  ] as const) {
    const old = await recorded(crypto.randomUUID(), { deleted_time: ago(31) });
    const young = await recorded(crypto.randomUUID(), { deleted_time: ago(29) });
    const due = await recorded(crypto.randomUUID(), { end_time: ago(31), creation_time: dependencies.nowUs() });
    const retained = await recorded(crypto.randomUUID(), { end_time: ago(29), creation_time: dependencies.nowUs() });

    await turn();

    await expect
      .poll(() => {
        meanwhile();
        return Promise.all([old, due].map(({ id }) => inBin(id)));
      })
      .toEqual(['gone', true]);
    await expect
      .poll(() => {
        passed(FILES_MS);
        return storage.stat(old.key);
      })
      .toBeNull();
    const row = { item_label: 2, groups: [groups.G1], node: 'worker' };
    await expect.poll(() => auditOf(old.id)).toEqual([{ ...row, action: 'bin.empty', reason: '30 days' }]);
    await expect.poll(() => auditOf(due.id)).toEqual([{ ...row, action: 'mission.delete', reason: 'retention' }]);
    expect(await Promise.all([young, retained].map(({ id }) => inBin(id)))).toEqual([true, false]);
    for (const { key } of [young, due, retained]) expect(await storage.stat(key)).not.toBeNull();
  }
});

it('empties the bin of documents every hour, with their files', async () => {
  const [old, young] = [
    await addDocument(db, { deleted_time: ago(31) }),
    await addDocument(db, { deleted_time: ago(29) }),
  ];
  const folders = [documentFolder(old), documentFolder(young)];
  for (const folder of folders) await storage.put(`${folder}/page.jpg`, [new Uint8Array(2)]);

  await expect
    .poll(async () => {
      passed(HOUR_MS);
      passed(FILES_MS);
      return (await Promise.all(folders.map(keysIn))).map(({ length }) => length);
    })
    .toEqual([0, 1]);
  expect(await db.selectFrom('documents').select('id').execute()).toEqual([{ id: young }]);
});

it('removes exports that were kept for long enough, and puts files aside that no row owns', async () => {
  const made = { kind: 'export', user_id: server.userId('SA'), state: 'done', title: 'Kea', created: 0 };
  const none = { result: null, error: null, size_bytes: null, offset_bytes: null, storage_key: null, heartbeat: null };
  const add = async (endedMs: number) => {
    const row = { ...made, ...none, input: JSON.stringify({ missions: [] }), ended: (Date.now() - endedMs) * 1000 };
    const { id } = await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow();
    return putOld(`exports/${id}.zip`);
  };
  const retained = await add(EXPORT_RETENTION_MS - HOUR_MS);
  await add(EXPORT_RETENTION_MS + HOUR_MS);
  await putOld(`exports/${crypto.randomUUID()}.zip`);
  const orphan = await putOld(`originals/${crypto.randomUUID()}/${crypto.randomUUID()}.ts`);

  await expect
    .poll(async () => {
      passed(HOUR_MS);
      return [await keysIn('exports'), await storage.stat(orphan)];
    })
    .toEqual([[retained], null]);
  await expect.poll(async () => (await readSetting(db, 'files'))?.lost.files).toBe(1);
  expect(await readSetting(db, 'diskUse')).toHaveLength(1);
});
