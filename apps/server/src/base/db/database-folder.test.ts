import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { databaseFolder, scratchFolder } from './database-folder.ts';

async function folderOf(mode: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-place-'));
  await chmod(dataDir, mode);
  const place = { dataDir, databaseDir: null };
  atEnd(async () => {
    const database = databaseFolder(place);
    await rm(dataDir, { recursive: true, force: true });
    await rm(database, { recursive: true, force: true });
  });
  return place;
}

async function putCluster(folder: string): Promise<void> {
  await mkdir(join(folder, 'cluster'), { recursive: true });
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17');
}

const isRoot = process.getuid?.() === 0;
const APART = /^\/var\/lib\/osprey\/[0-9a-f]{16}$/;

it('is the one that was asked for', () => {
  expect(databaseFolder({ dataDir: '/srv/osprey', databaseDir: '/ssd/database' })).toBe('/ssd/database');
});

it('is in the data folder where everybody may pass through, and for an ordinary account', async () => {
  const place = await folderOf(isRoot ? 0o755 : 0o700);

  expect(databaseFolder(place)).toBe(join(place.dataDir, 'postgres'));
  expect(scratchFolder(place)).toBe(join(place.dataDir, 'postgres-scratch'));
  const toCome = { ...place, dataDir: join(place.dataDir, 'to', 'come') };
  expect(databaseFolder(toCome)).toBe(join(toCome.dataDir, 'postgres'));
});

it.runIf(isRoot)(
  'is outside for root where the database could not reach it, also where a folder above is closed',
  async () => {
    const place = await folderOf(0o700);
    const below = { ...place, dataDir: join(place.dataDir, 'data') };
    await mkdir(below.dataDir, { mode: 0o755 });

    for (const closed of [place, below]) {
      expect(databaseFolder(closed)).toMatch(APART);
      expect(scratchFolder(closed)).toBe(`${databaseFolder(closed)}-scratch`);
    }
  },
);

it.runIf(isRoot)('stays where a database is already, for any rights of the folder', async () => {
  const inside = await folderOf(0o755);
  await putCluster(join(inside.dataDir, 'postgres'));
  await chmod(inside.dataDir, 0o700);
  expect(databaseFolder(inside)).toBe(join(inside.dataDir, 'postgres'));
  // A proof makes a new one each time, and needs a place that can be reached now.
  expect(scratchFolder(inside)).toMatch(/^\/var\/lib\/osprey\/[0-9a-f]{16}-scratch$/);

  const outside = await folderOf(0o700);
  const before = databaseFolder(outside);
  await putCluster(before);
  await chmod(outside.dataDir, 0o755);
  expect(databaseFolder(outside)).toBe(before);
});
