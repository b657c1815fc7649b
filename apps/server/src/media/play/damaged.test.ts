import { randomBytes, randomUUID } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import type { ErrorCode, Mission } from '@osprey/contract';
import { expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { storedFiles } from '../../base/stored/stored-files.ts';

const SIZE = 2_000_000;

const server = await testServer();
const { db, dependencies } = server;
const { storage } = dependencies;
const stored = storedFiles({ db, nowUs: () => Date.now() * 1000 });
const address = await server.listen();

async function recorded(): Promise<{ missionId: string; fileId: string; url: string; key: string }> {
  const missionId = await addMission(db, { state: 'Ready' });
  const sensorId = await addSensor(db, missionId, { state: 'Ready' });
  const fileId = randomUUID();
  const key = originalKey(sensorId, fileId);
  const { sha256 } = await storage.put(key, [randomBytes(SIZE)]);
  await addFile(db, sensorId, { id: fileId, storage_key: key, size_bytes: SIZE, sha256, state: 'ready' });
  return { missionId, fileId, url: `/api/media/${sensorId}/${fileId}.ts`, key };
}

/** Over a connection, as a player asks: an answer that never ends fails by its time. */
const ask = (url: string, range?: string) =>
  fetch(`${address}${url}`, {
    headers: { ...server.headersOf('SA'), ...(range !== undefined && { range }) },
    signal: AbortSignal.timeout(5000),
  });

const codeOf = async (answer: Response) => ((await answer.json()) as { code: ErrorCode }).code;
const faultOf = (noun: 'files' | 'documents', id: string) => async () => (await stored.read({ noun, id }))?.fault;

it('ends the answer at once with an error where a recording is shorter than its row, and marks the file', async () => {
  const { fileId, url, key, missionId } = await recorded();
  expect((await (await ask(url)).arrayBuffer()).byteLength).toBe(SIZE);
  await truncate(storage.path(key), SIZE / 2);

  const answer = await ask(url);

  expect([answer.status, await codeOf(answer)]).toEqual([410, 'fileDamaged']);
  await expect.poll(faultOf('files', fileId)).toBe('size');
  const past = await ask(url, `bytes=${SIZE / 2 - 10}-${SIZE / 2 + 10}`);
  expect([past.status, await codeOf(past)]).toEqual([410, 'fileDamaged']);
  // The rest of it can still be played.
  const left = await ask(url, `bytes=0-${SIZE / 2 - 1}`);
  expect([left.status, (await left.arrayBuffer()).byteLength]).toEqual([206, SIZE / 2]);
  const mission = (await (await ask(`/api/missions/${missionId}`)).json()) as Mission;
  expect(mission.sensors[0]?.assets[0]?.damage).toBe('Damaged on the server: 1,000,000 of 2,000,000 bytes are left.');
});

it('answers that a recording is missing, and marks the file', async () => {
  const { fileId, url, key } = await recorded();
  await storage.remove(key);

  const answer = await ask(url);

  expect([answer.status, await codeOf(answer)]).toEqual([404, 'fileMissing']);
  await expect.poll(faultOf('files', fileId)).toBe('missing');
});

it('ends the answer with an error where a document is shorter than its row, and marks it', async () => {
  const id = randomUUID();
  const key = `documents/${id}/original`;
  const { sha256 } = await storage.put(key, [randomBytes(100)]);
  await addDocument(db, { id, storage_key: key, size_bytes: 100, sha256 });
  await truncate(storage.path(key), 0);

  const answer = await ask(`/api/documents/${id}/content`);

  expect([answer.status, await codeOf(answer)]).toEqual([410, 'fileDamaged']);
  await expect.poll(faultOf('documents', id)).toBe('size');
});
