import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backup } from '@osprey/contract';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';
import { ConfigError } from '../../base/config/config.ts';
import { backupLocations, keepBackups } from '../../compose/backups.ts';
import { readManifest } from './target.ts';

const site = await mkdtemp(join(tmpdir(), 'osprey-backup-key-'));
atEnd(() => rm(site, { recursive: true, force: true }));
const backupKeyFile = join(site, 'site.key');
const key = Buffer.alloc(32, 7);
await writeFile(backupKeyFile, key.toString('hex'));
const server = await testServer({ config: { backupKeyFile } });
const { target, folder, key: readKey } = backupLocations(server.dependencies.config);
const ask = askAs(server, 'SA');

/** Orders a backup and waits until the worker has reached the wanted state. */
async function ordered(isSoFar: (backup: Backup) => boolean): Promise<Backup> {
  const { name } = (await ask.post<{ name: string }>('/api/backups')).body;
  const keeper = keepBackups(server.dependencies, server.databaseUrl);
  keeper.start();
  const found = async () => (await ask.get<Backup[]>('/api/backups')).body.find((one) => one.name === name);
  try {
    await expect.poll(async () => isSoFar((await found())!)).toBe(true);
    return (await found())!;
  } finally {
    await keeper.stop();
  }
}

it('that the site brings is the only one: none is made, none is shown, and backups open with it alone', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  expect(existsSync(join(server.dataDir, 'keys', 'backup.key'))).toBe(false);
  expect((await ask.post('/api/backups/key')).status).toBe(404);

  const { name } = await ordered(({ sizeBytes }) => sizeBytes !== null);

  expect(await readManifest({ target, key, name })).toMatchObject({ name });
  expect((await ask.get('/api/backups/count')).body).toMatchObject({ count: 1, folder, keyUnseen: false });
  await expect(readManifest({ target, key: Buffer.alloc(32, 8), name })).rejects.toThrow('another key');
  expect(existsSync(join(server.dataDir, 'keys', 'backup.key'))).toBe(false);
});

it('that holds something else is named, and no backup is made with it', async () => {
  await writeFile(backupKeyFile, 'a word');
  const sentence = `${backupKeyFile} does not hold a key of 64 hexadecimal digits.`;

  await expect(readKey()).rejects.toThrow(new ConfigError(sentence));
  expect(await ordered(({ state }) => state === 'failed')).toMatchObject({ sizeBytes: null, error: sentence });

  await rm(backupKeyFile);
  expect((await ordered(({ state }) => state === 'failed')).error).toMatch(/^The key of the backups cannot be read: /);
}, 120_000);

it('of our own is shown once', async () => {
  const own = askAs(await testServer(), 'SA');
  expect((await own.get('/api/backups/count')).body).toMatchObject({ keyUnseen: true });

  const shown = await own.post<{ key: string }>('/api/backups/key');
  const again = await own.post('/api/backups/key');

  expect([shown.status, again.status]).toEqual([200, 404]);
  expect(shown.body.key).toMatch(/^[0-9a-f]{64}$/);
  expect((await own.get('/api/backups/count')).body).toMatchObject({ keyUnseen: false });
});
