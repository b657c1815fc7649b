import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testServer } from '../../test/server.ts';
import { signCheckpoint } from '../audit/checkpoint.ts';
import { auditPlaces } from '../audit/places.ts';
import { signingKey } from '../audit/signing-key.ts';
import { writeSetting } from '../db/settings.ts';

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

it('claims no backup before one is there', async () => {
  expect(await check('backups')).toMatchObject({ state: 'ok', text: 'No backup has been verified yet.' });
});

it('says that the audit rests on its chain alone where there is one role, and when its end is missing', async () => {
  expect(await check('audit')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/one role for everything/),
  });

  const { checkpoints } = auditPlaces(server.dataDir);
  const key = await signingKey(join(server.dataDir, 'keys', 'audit'));
  const chains = [{ node: 'api', seq: 5000, hash: '0'.repeat(64) }];
  await mkdir(dirname(checkpoints), { recursive: true });
  await writeFile(checkpoints, JSON.stringify(signCheckpoint(key, { number: 1, time: 1, chains })));

  expect(await check('audit')).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(/Rows of the audit are missing: chain api/),
  });
});
