import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import type { Database } from '../../base/db/schema.ts';
import { type StoredCheck, writeSetting } from '../../base/db/settings.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type StoredFiles, storedFiles } from '../../base/stored/stored-files.ts';
import { storedCheck } from './check.ts';
import { type ReadAgainDeps, readingAgain } from './read-again.ts';

const DAY_US = 24 * 3600 * 1e6;
const SIZE = 10_000;

let db: Kysely<Database>;
let storage: Storage;
let stored: StoredFiles;
let state: StoredCheck | null;
let reported: string[];
/** Keys that were read, in order. */
let reads: string[];
let recording: boolean;
/** Time of wall clock and monotonic clock, which advances only where the code waits. */
let now: number;
const nowUs = () => now;

beforeEach(async () => {
  db = await testDatabase();
  const root = await mkdtemp(join(tmpdir(), 'osprey-stored-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  storage = folderStorage({ root });
  stored = storedFiles({ db, nowUs });
  [state, reported, reads, recording, now] = [null, [], [], false, 1_800_000_000e6];
});

async function recorded(fields: { sha256?: string | null } = {}) {
  const sensorId = await addSensor(db, await addMission(db));
  const id = randomUUID();
  const key = `originals/${sensorId}/${id}.ts`;
  const { sha256 } = await storage.put(key, [randomBytes(SIZE)]);
  await addFile(db, sensorId, { id, storage_key: key, size_bytes: SIZE, sha256, created: now, ...fields });
  now += 1;
  return { noun: 'files' as const, id, key, path: storage.path(key), sha256 };
}

function reader(other: Partial<ReadAgainDeps> = {}) {
  const read: Storage['read'] = (key, range) => {
    reads.push(key);
    return storage.read(key, range);
  };
  return readingAgain({
    storage: { ...storage, read },
    stored,
    state: {
      read: async () => state,
      write: async (written) => {
        state = { ...written };
      },
    },
    days: 101,
    isAway: async () => false,
    compare: async () => undefined,
    isRecording: async () => recording,
    reported: async ({ id }, found) => void reported.push(`${id} ${found?.fault ?? 'whole'}`),
    nowUs,
    nowMs: () => now / 1000,
    wait: async (ms) => {
      now += Math.ceil(ms * 1000);
    },
    ...other,
  });
}

it('reads 1 % of all bytes a day, those first that were not read for the longest time', async () => {
  const files = [];
  for (let i = 0; i < 10; i++) files.push(await recorded());
  const day = async () => {
    reads = [];
    await reader().look();
    // Again on the same day there is nothing to do.
    await reader().look();
    now += DAY_US;
    return reads;
  };

  // A file is read to its end: the least is one.
  expect(await day()).toEqual([files[0]!.key]);
  expect(state).toMatchObject({ files: 1, bytes: SIZE, wantedBytes: SIZE / 10, damaged: 0 });
  expect(state!.ended).toBeGreaterThanOrEqual(state!.started);
  const ten = [];
  for (let i = 1; i < 10; i++) ten.push(...(await day()));
  expect(ten).toEqual(files.slice(1).map(({ key }) => key));
  expect(await day()).toEqual([files[0]!.key]);
  expect(reported).toEqual([]);
});

it('marks what is flipped, cut off, missing or unreadable, and takes the mark away when it is whole again', async () => {
  const [flipped, cut, missing, bad] = [await recorded(), await recorded(), await recorded(), await recorded()];
  const complete = await readFile(flipped.path);
  const bytes = Buffer.from(complete);
  bytes[SIZE - 1]! ^= 128;
  await writeFile(flipped.path, bytes);
  await truncate(cut.path, 1);
  await rm(missing.path);
  const error = Object.assign(new Error('EIO'), { code: 'EIO' });
  const read: Storage['read'] = (key, range) =>
    key === bad.key ? new Readable({ read: (): void => {} }).destroy(error) : storage.read(key, range);
  const days = async (count: number) => {
    for (let i = 0; i < count; i++, now += DAY_US) await reader({ storage: { ...storage, read } }).look();
  };

  await days(4);

  const faults = { [flipped.id]: 'content', [cut.id]: 'size', [missing.id]: 'missing', [bad.id]: 'unreadable' };
  expect(reported.sort()).toEqual(
    Object.entries(faults)
      .map((one) => one.join(' '))
      .sort(),
  );
  expect((await stored.open()).map(({ id }) => id).sort()).toEqual(Object.keys(faults).sort());
  expect(state).toMatchObject({ files: 1, damaged: 1 });
  await writeFile(flipped.path, complete);
  reported = [];
  await days(4);
  expect(reported).toEqual([`${flipped.id} whole`]);
});

it('reads documents too', async () => {
  const id = randomUUID();
  await storage.put(`documents/${id}/original`, [Buffer.from('hellO')]);
  await addDocument(db, { id, size_bytes: 5, storage_key: `documents/${id}/original`, sha256: '0'.repeat(64) });

  await reader().look();

  expect(reported).toEqual([`${id} content`]);
});

it('hashes recordings that have no hash, at once, and asks no more for one that cannot be read', async () => {
  const [one, gone] = [await recorded({ sha256: null }), await recorded({ sha256: null })];
  await rm(gone.path);
  state = { started: now, ended: now, files: 0, bytes: 0, wantedBytes: 0, damaged: 0 };
  expect(await stored.countNotHashed()).toBe(2);

  await reader().look();
  await reader().look();

  expect(reads).toEqual([one.key]);
  expect(await stored.read(one)).toMatchObject({ sha256: one.sha256, fault: null });
  expect(await stored.read(gone)).toMatchObject({ sha256: null, fault: 'missing' });
});

it('waits while something is recorded, for six hours at most, and then reads as slowly as the day allows', async () => {
  await recorded();
  recording = true;
  const begun = now;
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    now += Math.ceil(ms * 1000);
    if (waits.length === 3) recording = false;
  };

  await reader({ wait }).look();

  expect(waits.slice(0, 3)).toEqual([5000, 5000, 5000]);
  expect(waits).toHaveLength(4);
  expect(state?.ended).toBeGreaterThan(begun);

  now += DAY_US;
  recording = true;
  reads = [];
  const later = now;
  await reader().look();
  expect(reads).toHaveLength(1);
  expect(now - later).toBeGreaterThanOrEqual(DAY_US / 4);
});

it('begins again after it was broken off, and does not count what it has read', async () => {
  const files = [await recorded(), await recorded()];
  const breaking = reader({
    wait: async () => {
      breaking.stop();
      throw new Error('stopped');
    },
  });
  await breaking.look();
  expect(state).toMatchObject({ ended: null, files: 0 });

  await reader().look();

  expect(reads).toEqual([files[0]!.key, files[0]!.key]);
  expect(state).toMatchObject({ files: 1 });
  expect(state?.ended).not.toBeNull();
});

it('reads every byte within the days, also where something is recorded all the time', async () => {
  for (let i = 0; i < 20; i++) await recorded();
  recording = true;
  const end = now + 7 * DAY_US;
  const seen = new Set<string>();

  while (now < end) {
    await reader({ days: 7 }).look();
    for (const key of reads.splice(0)) seen.add(key);
    now += 3600e6;
    // No byte is unread for longer than the days.
    expect(now - (await stored.oldestRead())!).toBeLessThan(8 * DAY_US);
  }

  expect(seen.size).toBe(20);
});

it('reads nothing while the disk is away, and has many missing files marked together', async () => {
  const files: Awaited<ReturnType<typeof recorded>>[] = [];
  for (let i = 0; i < 12; i++) files.push(await recorded());
  let isAway = true;
  let compared = 0;
  const compare = async () => {
    compared += 1;
    await stored.missing(files);
  };
  await reader({ isAway: async () => isAway, compare }).look();
  expect([reads, state]).toEqual([[], null]);

  isAway = false;
  for (const { path } of files) await rm(path);
  await reader({ isAway: async () => isAway, compare, days: 2 }).look();

  expect(compared).toBe(1);
  expect(reported).toEqual([]);
  expect(await stored.open()).toHaveLength(12);
});

it('says how old the oldest reading is, how fast it reads, and warns beyond the days', async () => {
  await recorded();
  const check = storedCheck({ db, stored, nowUs, days: 7 });
  await reader({ days: 7 }).look();
  await writeSetting(db, 'storedCheck', state);

  expect(await check()).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/ 0\.0 days ago\. Stored files are read again at \d+\.\d MB\/s\./),
  });
  now += 7.5 * DAY_US;
  expect(await check()).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/ 7\.5 days ago\. All bytes are to be read within 7 days\./),
  });
});
