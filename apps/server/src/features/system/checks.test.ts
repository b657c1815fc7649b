import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { testServer } from '../../../test/server.ts';
import { signCheckpoint } from '../../base/audit/checkpoint.ts';
import { auditDirectories } from '../../base/audit/directories.ts';
import { signingKey } from '../../base/audit/signing-key.ts';
import { writeSetting } from '../../base/db/settings.ts';
import { backupCheck } from './checks.ts';

type Health = { checks: { name: string; state: string; text: string }[] };

const server = await testServer();

const check = async (name: string) => {
  const answer = await server.asUser('SA').inject({ method: 'GET', url: '/api/health' });
  return (answer.json() as Health).checks.find((one) => one.name === name);
};

it('says how the worker runs decoders, not what is installed', async () => {
  expect(await check('ffmpeg.isolated')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/worker has not said/),
  });
  await writeSetting(server.db, 'decoders', { isolated: false });
  expect(await check('ffmpeg.isolated')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/not isolated.*install bubblewrap/),
  });
  await writeSetting(server.db, 'decoders', { isolated: true });
  expect(await check('ffmpeg.isolated')).toMatchObject({ state: 'ok' });
});

it('says what the worker found of rows without files and of files without rows', async () => {
  const none = { files: 0, first: [] };
  expect(await check('files')).toMatchObject({ state: 'warning', text: expect.stringMatching(/has not compared/) });
  await writeSetting(server.db, 'files', { lost: { files: 0, bytes: 0 }, missing: none });
  expect(await check('files')).toMatchObject({ state: 'ok' });
  await writeSetting(server.db, 'files', { lost: { files: 3, bytes: 12e8 }, missing: none });
  expect(await check('files')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/^3 files \(1\.2 GB\).*files\/lost of the data folder/),
  });
  await writeSetting(server.db, 'files', {
    lost: { files: 3, bytes: 12e8 },
    missing: { files: 2, first: ['originals/a/b.ts', 'originals/a/c.ts'] },
    isAway: true,
  });
  expect(await check('files')).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(
      /^The disk .* is not there, with 2 files .*, originals\/a\/b\.ts, originals\/a\/c\.ts\. Mount it/,
    ),
  });
});

it('counts failed jobs that can be helped, and none of items in the bin', async () => {
  const onCard = async () => (await server.asUser('SA').inject({ method: 'GET', url: '/api/dashboard' })).json().jobs;
  const failed = { kind: 'document', state: 'failed', mission_id: null, sensor_id: null, file_id: null };
  const document_id = await addDocument(server.db);
  const job = { ...failed, document_id, error: 'damaged', created: 1, heartbeat: null };
  await server.db.insertInto('jobs').values(job).execute();
  expect(await check('jobs')).toMatchObject({ state: 'warning', text: expect.stringMatching(/^1 failed;/) });
  expect(await onCard()).toEqual({ open: 0, failed: 1 });
  const listed = await server.asUser('SA').inject({ method: 'GET', url: '/api/jobs' });
  expect(listed.json()).toMatchObject([{ documentId: document_id, state: 'failed' }]);

  await server.db.updateTable('documents').set({ deleted_time: 1 }).where('id', '=', document_id).execute();

  expect(await check('jobs')).toMatchObject({ state: 'ok', text: 'No job has failed; 0 running, 0 waiting.' });
  expect(await onCard()).toEqual({ open: 0, failed: 0 });
  expect((await server.asUser('SA').inject({ method: 'GET', url: '/api/jobs' })).json()).toEqual([]);
});

it('says what listens for others: WebRTC, and sensors that are switched on', async () => {
  await server.listen();
  expect(await check('ports')).toMatchObject({
    text: expect.stringMatching(/, WebRTC on UDP 47000-47999\.$/),
  });

  await addPlatform(server.db, { autostart: true, sensors: ['EO', 'IR'] });
  await addPlatform(server.db, { autostart: false });

  expect(await check('ports')).toMatchObject({
    text: expect.stringMatching(/, enabled sensors of the platform configuration \(2 udp\)\.$/),
  });
});

it('shows where the files of videos and documents are', async () => {
  for (const key of ['originals/s/1.ts', 'documents/d/original'])
    await server.dependencies.storage.put(key, [Buffer.from('x')]);

  const info = (await server.asUser('SA').inject({ method: 'GET', url: '/api/info' })).json() as Record<string, string>;

  expect(await readdir(info.videoDir!)).toEqual(['s']);
  expect(await readdir(info.documentDir!)).toEqual(['d']);
});

it('calls backups good only once one was verified', async () => {
  const stateWith = (count: number, lastVerified: number | null) =>
    backupCheck(async () => ({ count, lastVerified, warning: null }))();

  expect(await stateWith(0, null)).toMatchObject({ state: 'warning', text: 'There is no backup yet.' });
  expect(await stateWith(1, null)).toMatchObject({ state: 'warning', text: 'No backup has been verified yet.' });
  expect(await stateWith(1, 1_700_000_000_000_000)).toMatchObject({ state: 'ok' });
});

it('claims no backup before one is there, and asks for one after a week', async () => {
  expect(await check('backups')).toMatchObject({ state: 'warning', text: 'There is no backup yet.' });

  await server.db.updateTable('users').set({ registered: 1 }).execute();

  const text = 'There is no verified backup of this server.';
  expect(await check('backups')).toMatchObject({ state: 'warning', text });
});

it('says that the audit rests on its chain alone where there is one role, and when its end is missing', async () => {
  expect(await check('audit')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/one role for everything/),
  });

  const { checkpoints } = auditDirectories(server.dataDir);
  const key = await signingKey(join(server.dataDir, 'keys', 'audit'));
  const chains = [{ node: 'api', seq: 5000, hash: '0'.repeat(64) }];
  await mkdir(dirname(checkpoints), { recursive: true });
  await writeFile(checkpoints, JSON.stringify(signCheckpoint(key, { number: 1, time: 1, chains })));

  expect(await check('audit')).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(/Rows of the audit are missing: chain api/),
  });
});
