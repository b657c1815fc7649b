import { randomBytes, randomUUID } from 'node:crypto';
import type { DamagedItem, StoredCheckFacts } from '@osprey/contract';
import { beforeEach, expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { storedFiles } from '../../base/stored/stored-files.ts';
import { backupRuns } from './runs.ts';

const server = await testServer();
const { db, dependencies, groups } = server;
const stored = storedFiles({ db, nowUs: () => Date.now() * 1000 });
const ask = (who: Subject) => askAs(server, who);

let recording: string;
let secret: string;
let document: string;

async function damagedFile(classification: number): Promise<string> {
  const missionId = await addMission(db, { name: `m${classification}`, classification, state: 'Ready' });
  const sensorId = await addSensor(db, missionId, { state: 'Ready' });
  const id = randomUUID();
  const storage_key = `originals/${sensorId}/${id}.ts`;
  const { sha256 } = await dependencies.storage.put(storage_key, [randomBytes(100)]);
  await addFile(db, sensorId, { id, storage_key, size_bytes: 100, sha256, name: `flight${classification}.ts` });
  await stored.damaged({ noun: 'files', id }, { fault: 'size', foundBytes: 40 });
  return id;
}

beforeEach(async () => {
  await db.deleteFrom('stored_checks').execute();
  recording = await damagedFile(1);
  secret = await damagedFile(5);
  document = await addDocument(db, { file_name: 'note.txt' });
  await stored.damaged({ noun: 'documents', id: document }, { fault: 'missing', foundBytes: null });
});

type List = { files: DamagedItem[]; others: number };
const list = async (who: Subject) => (await ask(who).get<List>('/api/stored/damaged')).body;

it('names damaged files to those who may read them, and counts the others', async () => {
  const all = await list('SA');
  expect(all.files).toMatchObject([
    {
      ...{ _id: recording, kind: 'recording', name: 'flight1.ts', text: '40 of 100 bytes are left', sizeBytes: 100 },
      ...{ mission: { name: 'm1', sensor: 'EO/IR' }, fault: 'size', restorable: false, progress: null, error: null },
    },
    { _id: secret, securityClassification: 'TOP SECRET' },
    { _id: document, kind: 'document', name: 'note.txt', mission: null, text: 'the file is missing' },
  ]);
  expect(all.others).toBe(0);

  const some = await list('A2');

  expect(some.files.map(({ _id }) => _id)).toEqual([recording, document]);
  expect(some.others).toBe(1);
  expect((await ask('A2').post(`/api/stored/${secret}/restore`)).status).toBe(404);
  expect((await ask('A2').post(`/api/stored/${secret}/accept`, { reason: 'Nobody needs it' })).status).toBe(404);
  expect((await ask('U1').get('/api/stored/damaged')).status).toBe(403);
});

it('takes the loss of a file with a reason, which the audit has', async () => {
  expect((await ask('SA').post(`/api/stored/${recording}/accept`, { reason: 'short' })).status).toBe(400);
  expect((await list('SA')).files).toHaveLength(3);

  const { missionId, storageKey } = (await stored.find(recording))!;
  await db.insertInto('mission_usergroups').values({ mission_id: missionId!, usergroup_id: groups.G1 }).execute();
  const reason = 'The disk of that week is gone';
  expect((await ask('SA').post(`/api/stored/${recording}/accept`, { reason })).status).toBe(200);

  expect((await list('SA')).files.map(({ _id }) => _id)).toEqual([secret, document]);
  const row = await db.selectFrom('audit').selectAll().where('action', '=', 'file.lossAccepted').executeTakeFirst();
  expect(row).toMatchObject({ actor_id: server.userId('SA'), item_id: missionId, item_label: 1, groups: [groups.G1] });
  expect(row?.reason).toBe(`${storageKey}: ${reason}`);
  expect((await ask('SA').post(`/api/stored/${recording}/accept`, { reason })).status).toBe(404);
});

it('orders to put a file back only where the backups hold it', async () => {
  expect((await ask('SA').post(`/api/stored/${recording}/restore`)).body).toMatchObject({ code: 'fileMissing' });
  expect((await ask('SA').post(`/api/stored/${randomUUID()}/restore`)).status).toBe(404);
});

it('shows how stored files are read again, and what is damaged, on the page of storage and in health', async () => {
  const facts = (await ask('SA').get<StoredCheckFacts>('/api/stored/check')).body;
  expect(facts).toMatchObject({ last: null, notHashed: 0, damaged: 3 });
  const health = async () => {
    const { body } = await ask('SA').get<{ checks: { name: string }[] }>('/api/health');
    return body.checks.find(({ name }) => name === 'stored bytes');
  };
  expect(await health()).toMatchObject({ state: 'failed', text: expect.stringMatching(/^3 stored files are damaged/) });

  await db.deleteFrom('stored_checks').execute();
  const unread = expect.stringMatching(/ days ago\. All bytes are to be read within 7 days\.$/);
  expect(await health()).toMatchObject({ state: 'warning', text: unread });
  await db
    .updateTable('files')
    .set({ created: Date.now() * 1000 })
    .execute();
  await db
    .updateTable('documents')
    .set({ creation_time: Date.now() * 1000 })
    .execute();
  expect(await health()).toMatchObject({ state: 'ok', text: expect.stringContaining(' 0.0 days ago.') });
});

it('orders several files at once or none, one order after the other', async () => {
  const restore = (files: readonly string[], who: Subject = 'SA') => ask(who).post('/api/stored/restore', { files });

  expect((await restore([recording, secret])).body).toMatchObject({ code: 'fileMissing' });
  expect((await restore([randomUUID()])).status).toBe(404);
  expect([(await restore([secret], 'A2')).status, (await restore([recording], 'GA')).status]).toEqual([404, 403]);
  expect((await restore([])).status).toBe(400);
  expect(await db.selectFrom('backup_runs').selectAll().execute()).toEqual([]);

  const runs = backupRuns({ db, nowUs: () => Date.now() * 1000 });
  const files = [recording, secret].map((id) => ({ id, storageKey: `originals/s/${id}.ts` }));
  await runs.requestRestores(files, server.userId('SA'));
  expect(await runs.requestRestores(files, server.userId('SA'))).toEqual([]);
  const taken = [await runs.take(), await runs.take(), await runs.take()];
  expect(taken.flatMap((run) => run?.item_id ?? []).sort()).toEqual([recording, secret].sort());
  expect(taken.at(-1)).toBeUndefined();
});
