import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabaseAt } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addFile, addMission, addSensor, addUser } from '../../../test/missions.ts';
import type { Database } from '../../base/db/schema.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type StoredFault, type StoredFiles, storedFiles } from '../../base/stored/stored-files.ts';
import { readDamaged } from './damaged.ts';
import { dataFolder, readEntries, readFile as readKept } from './files.ts';
import { removeBackups } from './keeper.ts';
import { type Making, makeBackup } from './make.ts';
import { isHeld, putBack } from './put-back.ts';
import { BackupDamaged } from './seal.ts';
import { readHeader } from './target.ts';

const SIZE = 3000;
const key = randomBytes(32);
const nowUs = () => Date.now() * 1000;
const signal = new AbortController().signal;
const progress = () => undefined;

let db: Kysely<Database>;
let url: string;
let folder: string;
let dataDir: string;
let target: Storage;
let files: Storage;
let stored: StoredFiles;
let made: number;

async function scratch(name: string): Promise<string> {
  // In memory: a backup syncs each of its fifty files.
  const path = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `osprey-${name}-`));
  atEnd(() => rm(path, { recursive: true, force: true }));
  return path;
}

beforeEach(async () => {
  ({ db, url } = await testDatabaseAt());
  [folder, dataDir] = [await scratch('backups'), await scratch('data')];
  target = folderStorage({ root: folder });
  files = folderStorage({ root: join(dataDir, 'files') });
  stored = storedFiles({ db, nowUs });
  made = 0;
});

/** A recording's file; without a hash as a recording has it until it is read. */
async function recorded({ isHashed = true } = {}) {
  const sensorId = await addSensor(db, await addMission(db));
  const id = randomUUID();
  const storageKey = `originals/${sensorId}/${id}.ts`;
  const bytes = randomBytes(SIZE);
  const { sha256 } = await files.put(storageKey, [bytes]);
  const row = { id, storage_key: storageKey, size_bytes: SIZE, sha256: isHashed ? sha256 : null };
  await addFile(db, sensorId, row);
  // A time that can be set again to the nanosecond.
  await utimes(files.path(storageKey), 1_700_000_000, 1_700_000_000);
  return { id, noun: 'files' as const, path: files.path(storageKey), key: `files/${storageKey}`, bytes, sha256 };
}
type Recorded = Awaited<ReturnType<typeof recorded>>;

const data = () => dataFolder(dataDir, [folder]);

async function make(other: Partial<Making> = {}): Promise<string> {
  made += 1;
  const name = `2026010${made}-000000-manual`;
  const parts = { target, key, databaseUrl: url, data: data(), stored, nowUs, progress, signal, readAgainShare: 0 };
  await makeBackup({ ...parts, name, origin: 'manual', ...other });
  return name;
}

/** The data folder on a disk that gives the file at this place no more. */
function unreadable(place: string): ReturnType<typeof data> {
  const whole = data();
  const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  const failing = () => new Readable({ read: (): void => {} }).destroy(error);
  const read: Storage['read'] = (key, range) => (key === place ? failing() : whole.storage.read(key, range));
  return { ...whole, storage: { ...whole.storage, read } };
}

/** One byte of it becomes another, and its time stays, as a disk does it. */
async function flip({ path }: Recorded, keepsTime: boolean): Promise<void> {
  const { atime, mtime } = await stat(path);
  const bytes = await readFile(path);
  bytes[SIZE / 2]! ^= 1;
  await writeFile(path, bytes);
  if (keepsTime) await utimes(path, atime, mtime);
}

/** Bytes that a restore of this backup would put there; null if it has none. */
async function keptIn(name: string, place: string): Promise<Buffer | null> {
  for await (const entry of readEntries({ target, key, name })) {
    if (entry.key !== place) continue;
    const parts: Buffer[] = [];
    for await (const bytes of readKept({ target, key }, entry)) parts.push(bytes);
    return Buffer.concat(parts);
  }
  return null;
}

const faultsOf = async (name: string) => (await readDamaged(target, name)).map(({ id, fault }) => [id, fault]);
const back = (id: string) => putBack({ target, key, data: data(), stored, id, progress, signal });

const damages: readonly [StoredFault, (file: Recorded) => Promise<void>][] = [
  ['size', ({ path }) => truncate(path, SIZE / 3)],
  ['size', ({ path }) => writeFile(path, 'more', { flag: 'a' })],
  ['content', (file) => flip(file, false)],
  ['missing', ({ path }) => rm(path)],
];

/** One recording for each kind of damage, and one that stays whole. */
async function recordedEach() {
  const each: { file: Recorded; fault: StoredFault; damage: () => Promise<void> }[] = [];
  for (const [fault, damage] of damages) {
    const file = await recorded();
    each.push({ file, fault, damage: () => damage(file) });
  }
  return { each, whole: await recorded() };
}

type Each = Awaited<ReturnType<typeof recordedEach>>['each'];
const named = (each: Each) => each.map(({ file, fault }) => [file.id, fault]).sort();

describe('a backup of a recording that is', () => {
  it('cut off, longer, flipped in one byte or missing names it, keeps the good content, and puts it back', async () => {
    const { each, whole } = await recordedEach();
    const before = await make();
    expect((await readHeader(target, before))?.damaged).toBeUndefined();
    for (const { damage } of each) await damage();

    const name = await make();

    expect((await faultsOf(name)).sort()).toEqual(named(each));
    expect(await readHeader(target, name)).toMatchObject({ damaged: damages.length });
    expect(await stored.read(whole)).toMatchObject({ fault: null });
    // The one of before may go: the good content stays.
    await removeBackups(target, [before]);
    for (const { file, fault } of each) {
      expect(await stored.read(file)).toMatchObject({ fault, keptSha256: file.sha256 });
      expect(await keptIn(name, file.key), fault).toEqual(file.bytes);
      await back(file.id);
      expect(await readFile(file.path), fault).toEqual(file.bytes);
    }
    expect(await stored.open()).toEqual([]);
    expect(await faultsOf(await make())).toEqual([]);
  });

  it('damaged and never was in a backup names it, and takes what is left of it', async () => {
    const { each } = await recordedEach();
    for (const { damage } of each) await damage();

    const name = await make();

    expect((await faultsOf(name)).sort()).toEqual(named(each));
    for (const { file, fault } of each) {
      expect(await keptIn(name, file.key), fault).toEqual(await readFile(file.path).catch(() => null));
      expect(await isHeld({ target, key }, (await stored.read(file))!), fault).toBe(false);
      await expect(back(file.id), fault).rejects.toThrow('The file is missing on the server.');
    }
  });

  it('in the backups already as something else than its row says is named, though nothing has changed since', async () => {
    const file = await recorded();
    await flip(file, true);
    await make();
    expect(await faultsOf(await make())).toEqual([[file.id, 'content']]);
  });

  it('marked as damaged is read again, also where size and time are as before', async () => {
    const file = await recorded();
    await make();
    await flip(file, true);
    expect(await faultsOf(await make())).toEqual([]);
    await stored.damaged(file, { fault: 'content', foundBytes: SIZE });

    const name = await make();

    expect(await faultsOf(name)).toEqual([[file.id, 'content']]);
    expect(await keptIn(name, file.key)).toEqual(file.bytes);
  });

  it('whole again takes its mark away', async () => {
    const file = await recorded();
    await rm(file.path);
    await make();
    expect(await stored.read(file)).toMatchObject({ fault: 'missing' });
    await writeFile(file.path, file.bytes);

    expect(await faultsOf(await make())).toEqual([]);
    expect(await stored.read(file)).toMatchObject({ fault: null });
  });

  it('not hashed yet is held against its size, and is put back from the backup before', async () => {
    const file = await recorded({ isHashed: false });
    await make();
    await truncate(file.path, 1);

    const name = await make();

    expect(await faultsOf(name)).toEqual([[file.id, 'size']]);
    expect(await keptIn(name, file.key)).toEqual(file.bytes);
    await back(file.id);
    expect(await readFile(file.path)).toEqual(file.bytes);
    expect(await stored.read(file)).toMatchObject({ fault: null, sha256: file.sha256 });
  });

  it('given up is named no more, until something else is wrong with it', async () => {
    const file = await recorded();
    await truncate(file.path, 10);
    await make();
    const by = await addUser(db, 'ana');
    expect(await stored.accept(file, { by, reason: 'The disk is gone' })).toBe(true);

    expect(await faultsOf(await make())).toEqual([]);
    expect(await stored.open()).toEqual([]);
    await rm(file.path);
    expect(await faultsOf(await make())).toEqual([[file.id, 'missing']]);
    expect(await stored.open()).toMatchObject([{ id: file.id }]);
  });

  it('on a disk that does not give it names it, and goes on with the others', async () => {
    const file = await recorded();
    await make();
    await utimes(file.path, 1_600_000_000, 1_600_000_000);

    const name = await make({ data: unreadable(file.key) });

    expect(await faultsOf(name)).toEqual([[file.id, 'unreadable']]);
    expect(await keptIn(name, file.key)).toEqual(file.bytes);
    // No row says what belongs there.
    await files.put('indexes/s/a.json', [randomBytes(10)]);
    const other = make({ data: unreadable('files/indexes/s/a.json') });
    await expect(other).rejects.toThrow('The file files/indexes/s/a.json of the data folder cannot be read');
  });

  it('deleted meanwhile is none', async () => {
    const file = await recorded();
    await make();
    await rm(file.path);

    expect(await faultsOf(await make({ stored: { ...stored, read: async () => null } }))).toEqual([]);
    expect(await stored.open()).toEqual([]);
  });
});

it('a backup of a damaged document names it', async () => {
  const id = randomUUID();
  const storage_key = `documents/${id}/original`;
  const { sha256 } = await files.put(storage_key, [Buffer.from('hello')]);
  await addDocument(db, { id, storage_key, size_bytes: 5, sha256 });
  await make();
  await files.put(storage_key, [Buffer.from('hellO')]);

  expect(await faultsOf(await make())).toEqual([[id, 'content']]);
  await back(id);
  expect(String(await readFile(files.path(storage_key)))).toBe('hello');
});

it('a backup does not offer content that is damaged among the backups too', async () => {
  const file = await recorded();
  await make();
  for await (const { key: place } of target.list('objects')) {
    const bytes = await readFile(target.path(place));
    if (bytes.length < SIZE) continue;
    bytes[bytes.length - 20]! ^= 1;
    await writeFile(target.path(place), bytes);
  }
  await rm(file.path);

  const name = await make();

  expect(await readDamaged(target, name)).toMatchObject([{ id: file.id, fault: 'missing', keptSha256: null }]);
  await expect(back(file.id)).rejects.toThrow(BackupDamaged);
  expect(await files.stat(file.key.slice('files/'.length))).toBeNull();
});

it('a backup reads some of the unchanged files again, says how many, and finds one that was flipped with its time kept', async () => {
  const [flipped, ...others] = [await recorded(), await recorded(), await recorded()];
  await make();
  await flip(flipped, true);

  const blind = await make();
  expect(await faultsOf(blind)).toEqual([]);
  expect((await readHeader(target, blind))?.unchanged).toEqual({ files: 3, read: 0 });
  const reading = await make({ readAgainShare: 1 });

  expect(await faultsOf(reading)).toEqual([[flipped.id, 'content']]);
  expect((await readHeader(target, reading))?.unchanged).toEqual({ files: 3, read: 3 });
  expect(await keptIn(reading, flipped.key)).toEqual(flipped.bytes);
  for (const { key, bytes } of others) expect(await keptIn(reading, key)).toEqual(bytes);
});

it('a backup reads one of a few unchanged files by itself', async () => {
  await recorded();
  await recorded();
  await make();
  const name = '20260201-000000-manual';
  await makeBackup({
    target,
    key,
    databaseUrl: url,
    data: data(),
    stored,
    nowUs,
    progress,
    signal,
    name,
    origin: 'manual',
  });

  expect((await readHeader(target, name))?.unchanged).toEqual({ files: 2, read: 1 });
});

it('no backup is made, and no file counts as lost, while the disk of the files is away', async () => {
  const { id, noun } = await recorded();
  await make();
  await rm(join(dataDir, 'files'), { recursive: true });

  await expect(make()).rejects.toThrow('The disk of recordings and documents is not there.');
  expect(await stored.read({ noun, id })).toMatchObject({ fault: null });
});
