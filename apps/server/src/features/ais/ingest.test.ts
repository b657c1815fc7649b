import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { reportOf, staticOf } from '../../../test/ais.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import type { Database } from '../../base/db/schema.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { MirrorListener } from '../../live/rows/mirror.ts';
import { writeStamped } from '../../recorder/ais/stamp.ts';
import { aisFileKey } from '../../recorder-wire/ais-files.ts';
import { aisIngest } from './ingest.ts';

const NOW = 1_700_000_000_000_000;

/** Lines as the recorder writes them. */
function stamped(count: number, from = 0): Buffer {
  const lines = Array.from({ length: count }, (_, n) =>
    stampedLine(reportOf({ latitude: 37 + (from + n) / 10_000, longitude: 24 }), NOW + (from + n) * 1e6),
  );
  return Buffer.concat(lines);
}

function stampedLine(line: string, receivedUs: number): Buffer {
  const bytes = Buffer.alloc(line.length + 21);
  writeStamped(bytes, Buffer.from(line), receivedUs);
  return bytes;
}

async function ingestOn(db: Kysely<Database>, root: string) {
  const storage = folderStorage({ root });
  let listener: MirrorListener | null = null;
  const failures: string[] = [];
  const ingest = aisIngest({
    db,
    storage,
    mirror: {
      subscribe(one) {
        listener = one;
        return () => undefined;
      },
      recordings: () => [],
    },
    onBatch: () => undefined,
    notify: () => undefined,
    nowUs: () => NOW,
    nowMs: () => performance.now(),
    log: { warn: (_fields, text) => failures.push(text) },
  });
  atEnd(ingest.close);
  const say = (message: object) => listener?.onMessage?.(message as never);
  return { storage, ingest, say, failures };
}

/** Two files that have ended, with five lines each. */
async function twoFiles(storage: Storage, key: string) {
  const next = key.replace(String(NOW), String(NOW + 1));
  const sizes: number[] = [];
  for (const [name, from] of [
    [key, 0],
    [next, 5],
  ] as const) {
    const file = await storage.append(name);
    await file.write(stamped(5, from));
    await file.close();
    sizes.push(file.sizeBytes());
  }
  return { next, sizes };
}

async function setUp() {
  const db = await testDatabase();
  const root = await mkdtemp(join(tmpdir(), 'osprey-ais-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const platformId = await addPlatform(db, { audience: 'everyone', sensors: ['AIS'] });
  const { AIS: sensorId = '' } = await sensorsOf(db, platformId);
  const key = aisFileKey({ sensorId, platformId, missionId: null, startedUs: NOW });
  const count = async () => {
    const row = await db
      .selectFrom('ais_positions')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirst();
    return Number(row?.n);
  };
  return { db, root, key, count };
}

/** A database that fails for the next `left.times` transactions. */
function failing(db: Kysely<Database>, left: { times: number }): Kysely<Database> {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' && left.times > 0) {
        left.times -= 1;
        return () => {
          throw new Error('The database is away');
        };
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

it('T-082 Sentences from while the database was away become rows once, and a file that has ended goes', async () => {
  const { db, root, key, count } = await setUp();
  const left = { times: 2 };
  const { storage, say, failures } = await ingestOn(failing(db, left), root);
  const file = await storage.append(key);
  await file.write(stamped(50));
  say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  await expect.poll(count).toBe(50);
  expect(failures).toHaveLength(2);

  // The rest of the file, with half a line that a crash left at its end.
  await file.write(stamped(30, 50));
  await file.write(stamped(1, 80).subarray(0, 30));
  await file.close();
  say({ kind: 'ais', file: { key, sizeBytes: file.sizeBytes(), ended: true } });
  await expect.poll(() => storage.stat(key)).toBeNull();
  expect(await count()).toBe(80);
  expect(await db.selectFrom('ais_files').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('ais_last').select('time').execute()).toEqual([{ time: NOW + 79e6 }]);
});

it('T-088 After a restart a file is read from where it was left', async () => {
  const { db, root, key, count } = await setUp();
  const first = await ingestOn(db, root);
  const file = await first.storage.append(key);
  await file.write(stamped(10));
  first.say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  await expect.poll(count).toBe(10);
  await first.ingest.close();

  await file.write(stamped(5, 10));
  const second = await ingestOn(db, root);
  second.say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  await expect.poll(count).toBe(15);
  await file.close();
});

it('T-088 A message whose sentences come before and after a restart is read, and none a second time', async () => {
  const { db, root, key, count } = await setUp();
  const first = await ingestOn(db, root);
  const file = await first.storage.append(key);
  const [begin = '', end = ''] = staticOf(211_000_007, 'KEA STAR');
  await file.write(stamped(3));
  await file.write(stampedLine(begin, NOW + 3e6));
  first.say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  await expect.poll(count).toBe(3);
  await first.ingest.close();

  await file.write(stampedLine(end, NOW + 4e6));
  const second = await ingestOn(db, root);
  second.say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  const names = () => db.selectFrom('ais_vessels').select(['mmsi', 'name']).execute();
  await expect.poll(names).toEqual([{ mmsi: 211_000_007, name: 'KEA STAR' }]);
  expect(await count()).toBe(3);
  await file.close();
});

it('A file that comes while the one before it is removed is read too', async () => {
  const { db, root, key, count } = await setUp();
  const { storage, say } = await ingestOn(db, root);
  const { next, sizes } = await twoFiles(storage, key);
  const remove = storage.remove.bind(storage);
  // The message comes at the worst moment: the first file is being removed.
  storage.remove = async (removed) => {
    await remove(removed);
    if (removed === key) say({ kind: 'ais', file: { key: next, sizeBytes: sizes[1], ended: false } });
  };
  say({ kind: 'ais', file: { key, sizeBytes: sizes[0], ended: true } });
  await expect.poll(count).toBe(10);
});

it('T-079 Files that a killed recorder left are read to their last whole line, also where its clock was set back since (T-083)', async () => {
  const { db, root, key, count } = await setUp();
  const { storage, say } = await ingestOn(db, root);
  const left = await storage.append(key);
  await left.write(stamped(20));
  await left.write(stamped(1, 20).subarray(0, 50));
  await left.close();
  const earlier = key.replace(String(NOW), String(NOW - 3_600_000_000));
  const growing = await storage.append(earlier);
  await growing.write(stamped(5, 30));

  say({ kind: 'hello', ais: [{ key: earlier, sizeBytes: growing.sizeBytes(), ended: false }] });

  await expect.poll(count).toBe(25);
  await expect.poll(() => storage.stat(key)).toBeNull();
  await growing.write(stamped(5, 35));
  say({ kind: 'ais', file: { key: earlier, sizeBytes: growing.sizeBytes(), ended: false } });
  await expect.poll(count).toBe(30);
  await growing.close();
});

it('T-088 A file that the recorder begins while those on the disk are listed is read on, and not removed', async () => {
  const { db, root, key, count } = await setUp();
  const { storage, say } = await ingestOn(db, root);
  const file = await storage.append(key);
  await file.write(stamped(5));
  // It is on the disk when that is listed, and not in what the recorder said before it began it.
  say({ kind: 'hello', ais: [] });
  say({ kind: 'ais', file: { key, sizeBytes: 0, ended: false } });
  say({ kind: 'ais', file: { key, sizeBytes: file.sizeBytes(), ended: false } });
  await expect.poll(count).toBe(5);
  await file.write(stamped(5, 5));
  say({ kind: 'ais', file: { key, sizeBytes: file.sizeBytes(), ended: false } });
  await expect.poll(count).toBe(10);
  expect(await storage.stat(key)).not.toBeNull();
  await file.close();
});

it('T-082 Where the recorder removed the oldest file while the database was away, the others are read', async () => {
  const { db, root, key, count } = await setUp();
  const left = { times: 3 };
  const { storage, say, failures } = await ingestOn(failing(db, left), root);
  const { next, sizes } = await twoFiles(storage, key);
  say({ kind: 'ais', file: { key, sizeBytes: sizes[0], ended: true } });
  say({ kind: 'ais', file: { key: next, sizeBytes: sizes[1], ended: true } });
  await expect.poll(() => failures.length).toBe(1);
  await storage.remove(key);
  await expect.poll(count).toBe(5);
  await expect.poll(() => storage.stat(next)).toBeNull();
});

it('T-083 A ship moves on at once after the clock of the server was an hour ahead and is set right', async () => {
  const { db, root, key, count } = await setUp();
  const { storage, say } = await ingestOn(db, root);
  const file = await storage.append(key);
  await file.write(stamped(5, 3600));
  say({ kind: 'hello', ais: [{ key, sizeBytes: file.sizeBytes(), ended: false }] });
  await expect.poll(count).toBe(5);
  await file.write(stamped(10));
  say({ kind: 'ais', file: { key, sizeBytes: file.sizeBytes(), ended: true } });
  await expect.poll(count).toBe(15);
  await file.close();
  expect(await db.selectFrom('ais_last').select('time').execute()).toEqual([{ time: NOW + 9e6 }]);
});

it('Receivers that begin a day at once make its table once', async () => {
  const db = await testDatabase();
  const day = NOW + 400 * 86_400_000_000;

  await Promise.all(
    Array.from({ length: 6 }, () =>
      db.transaction().execute(async (tx) => {
        await sql`select ais_make_partition(${day}::bigint)`.execute(tx);
        await sql`select pg_sleep(0.05)`.execute(tx);
      }),
    ),
  );

  const { rows } = await sql`select to_regclass('ais_positions_20241218_2200') is not null as made,
    to_regclass('ais_blocks_20241218') is not null as packed`.execute(db);
  expect(rows).toEqual([{ made: true, packed: true }]);
});
