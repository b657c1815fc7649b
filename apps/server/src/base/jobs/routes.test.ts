import { job } from '@osprey/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { startUploadServer, type UploadServer } from '../../../test/upload-server.ts';

let server: UploadServer;
let order: { missionId: string; sensorId: string };
let id: string;

beforeAll(async () => {
  server = await startUploadServer();
  await server.user('admin');
  await server.user('reader', 'user');
});
beforeEach(async () => {
  order = await server.target();
  id = await server.queue.enqueue(server.db, 'ingest', order);
});

const ask = (method: string, path: string, user = 'admin') =>
  fetch(`${server.address}/api/jobs${path}`, { method, headers: { 'x-user': user } });
const stateNow = async () =>
  (await server.db.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;
const setState = (state: string) => server.db.updateTable('jobs').set({ state }).where('id', '=', id).execute();
const showMission = () =>
  server.db.updateTable('missions').set({ state: 'Ready' }).where('id', '=', order.missionId).execute();

describe('jobs', () => {
  it('are listed for those who may edit their missions', async () => {
    const mine = job.array().parse(await (await ask('GET', '')).json());

    expect(mine.find(({ _id }) => _id === id)).toMatchObject({
      kind: 'ingest',
      state: 'waiting',
      ...order,
      attempts: 0,
    });
    expect((await ask('GET', '', 'reader')).status).toBe(403);
    expect((await ask('GET', '', 'nobody')).status).toBe(401);
  });

  it('of documents are listed for those who may edit them, tried again and cancelled', async () => {
    const document = await addDocument(server.db, { state: 'Failed' });
    const jobId = await server.queue.enqueue(server.db, 'document', { documentId: document });
    await server.db.updateTable('jobs').set({ state: 'failed', error: 'damaged' }).where('id', '=', jobId).execute();
    const listed = async () => {
      const jobs = job.array().parse(await (await ask('GET', '')).json());
      return jobs.find(({ _id }) => _id === jobId);
    };

    expect(await listed()).toMatchObject({ kind: 'document', documentId: document, missionId: null, sensorId: null });
    expect((await ask('POST', `/${jobId}/retry`)).status).toBe(200);
    expect(await listed()).toMatchObject({ state: 'waiting' });
    expect((await ask('DELETE', `/${jobId}`)).status).toBe(200);
    expect(await listed()).toBeUndefined();

    const hidden = await addDocument(server.db, { classification: 5, audience: 'groups' });
    const hiddenJob = await server.queue.enqueue(server.db, 'document', { documentId: hidden });
    expect(await (await ask('GET', '')).text()).not.toContain(hiddenJob);
    await server.db.deleteFrom('documents').where('id', 'in', [document, hidden]).execute();
  });

  it('of hidden missions are not listed', async () => {
    const hidden = { audience: 'groups' as const, classification: 5 };
    await server.db.updateTable('missions').set(hidden).where('id', '=', order.missionId).execute();

    const mine = job.array().parse(await (await ask('GET', '')).json());

    expect(mine.map(({ _id }) => _id)).not.toContain(id);
    expect((await ask('DELETE', `/${id}`)).status).toBe(404);
    expect(await stateNow()).toBe('waiting');
  });

  it('that wait, run or failed can be cancelled, and then tried again', async () => {
    for (const state of ['waiting', 'running', 'failed']) {
      await setState(state);

      expect((await ask('DELETE', `/${id}`)).status).toBe(200);
      expect(await stateNow()).toBe('cancelled');
      expect((await ask('POST', `/${id}/retry`)).status).toBe(200);
      expect(await stateNow()).toBe('waiting');
    }
    expect(server.changedIds).toContain(order.missionId);
  });

  it('that are done are left alone, with a sentence', async () => {
    await setState('done');

    expect(await (await ask('DELETE', `/${id}`)).json()).toMatchObject({ status: 422, text: 'The job has ended.' });
    expect((await ask('POST', `/${id}/retry`)).status).toBe(422);
  });

  it('answer 403 to those who may only watch, 404 to those who cannot see the mission and for unknown ids', async () => {
    expect((await ask('DELETE', `/${id}`, 'reader')).status).toBe(404);
    await showMission();

    expect((await ask('DELETE', `/${id}`, 'reader')).status).toBe(403);
    expect((await ask('POST', `/${id}/retry`, 'reader')).status).toBe(403);
    expect((await ask('DELETE', `/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await ask('DELETE', '/no-id')).status).toBe(400);
    expect(await stateNow()).toBe('waiting');
  });
});
