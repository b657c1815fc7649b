import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { emptyDatabaseAt, testDatabaseAt } from '../../test/database.ts';
import { addFile, addMission, addSensor } from '../../test/missions.ts';
import type { Database } from '../base/db/schema.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { joinInstallation, renewInstallation, requireTogether } from './installation.ts';
import { databaseId, folderId } from './installation-id.ts';

type Server = { dataDir: string; db: Kysely<Database>; databaseUrl: string; databaseDir: null; adopt: string | null };

async function server({ db, url }: { db: Kysely<Database>; url: string }): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-installation-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, db, databaseUrl: url, databaseDir: null, adopt: null };
}

const freshServer = async () => server(await testDatabaseAt());

/** The checks of a start before it serves requests. */
async function start(one: Server): Promise<void> {
  await requireTogether(one, one.db);
  await joinInstallation(one, one.db);
}

const idsOf = async ({ dataDir, db }: Server) => [await folderId(dataDir), await databaseId(db)];
const refusalOf = (one: Server): Promise<string> =>
  start(one).then(
    () => 'it started',
    (error: Error) => error.message,
  );
const codeIn = (text: string): string => /OSPREY_ADOPT=([0-9a-f]{8})/.exec(text)?.[1] ?? '';

/** A recording in the folder and its row. */
async function record({ dataDir, db }: Server): Promise<string> {
  const mission = await addMission(db, { name: 'Kea' });
  const sensor = await addSensor(db, mission, { state: 'Ready' });
  const key = `originals/${sensor}/${crypto.randomUUID()}.ts`;
  await folderStorage({ root: join(dataDir, 'files') }).put(key, [new Uint8Array(188)]);
  await addFile(db, sensor, { storage_key: key, size_bytes: 188 });
  return join(dataDir, 'files', key);
}

describe('a data folder and its database', () => {
  it('get one id when both are new, which stays and which others cannot read', async () => {
    const one = await freshServer();

    await start(one);

    const [folder, database] = await idsOf(one);
    expect(folder).toMatch(/^[0-9a-f-]{36}$/);
    expect(database).toBe(folder);
    expect((await stat(join(one.dataDir, 'installation.id'))).mode & 0o777).toBe(0o600);
    await start(one);
    expect(await idsOf(one)).toEqual([folder, folder]);
    expect(await readdir(one.dataDir)).toEqual(['installation.id']);
  });

  it('get one id also where two starts come at once', async () => {
    const one = await freshServer();

    await Promise.all([start(one), start(one)]);

    const [folder, database] = await idsOf(one);
    expect(folder).toBe(database);
  });

  it('from before there were ids go on, if the database knows the files of the folder', async () => {
    const one = await freshServer();
    await record(one);

    await start(one);

    const [folder, database] = await idsOf(one);
    expect([folder, folder]).toEqual([expect.any(String), database]);
  });

  it('are joined again where only one of them still has the id', async () => {
    const one = await freshServer();
    await record(one);
    await start(one);
    const [id] = await idsOf(one);

    await rm(join(one.dataDir, 'installation.id'));
    await start(one);
    expect(await idsOf(one)).toEqual([id, id]);

    await one.db.deleteFrom('settings').where('key', '=', 'installationId').execute();
    await start(one);
    expect(await idsOf(one)).toEqual([id, id]);
  });

  it('are refused where recordings meet a new database, with or without an id, and stay as they are', async () => {
    for (const hasId of [true, false]) {
      const old = await freshServer();
      const path = await record(old);
      if (hasId) await start(old);
      const before = await readdir(old.dataDir);

      for (const database of [await emptyDatabaseAt(), await testDatabaseAt()]) {
        const text = await refusalOf({ ...old, db: database.db, databaseUrl: database.url });

        const { host, pathname, password } = new URL(database.url);
        expect(text).toContain(
          `The data folder ${old.dataDir} and the database ${pathname.slice(1)} on ${host} do not`,
        );
        expect(text).toContain('the database knows none of them. Set OSPREY_DATA and OSPREY_DATABASE_URL');
        expect(text).not.toContain(password);
        expect(await databaseId(database.db)).toBeNull();
      }
      const own = { ...old, databaseUrl: null };
      await expect(requireTogether(own, null)).rejects.toThrow(/and the database in \/\S+ do not belong together/);
      expect(await readdir(old.dataDir)).toEqual(before);
      expect((await stat(path)).size).toBe(188);
    }
  });

  it('are refused if each is of another installation, for any files', async () => {
    const [one, other] = [await freshServer(), await freshServer()];
    await start(one);
    await start(other);

    const text = await refusalOf({ ...one, db: other.db, databaseUrl: other.databaseUrl });

    expect(text).toContain('each names another installation');
    expect(text).toContain('Nothing was changed.');
  });

  it('are refused where the database knows recordings and the folder is empty, as an absent volume is', async () => {
    const one = await freshServer();
    await record(one);
    await start(one);
    const { dataDir } = await freshServer();

    expect(await refusalOf({ ...one, dataDir })).toContain('the folder holds none');
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('are joined on purpose by the code of the refusal, which is good for nothing else afterwards', async () => {
    const old = await freshServer();
    await record(old);
    await start(old);
    const [oldId] = await idsOf(old);
    const { db, url } = await testDatabaseAt();
    const mixed = { ...old, db, databaseUrl: url };
    const text = await refusalOf(mixed);
    const adopt = codeIn(text);

    expect(await refusalOf({ ...mixed, adopt: adopt === '00000000' ? '11111111' : '00000000' })).toBe(text);
    await start({ ...mixed, adopt });

    const [folder, database] = await idsOf(mixed);
    expect(folder).toBe(database);
    expect(folder).not.toBe(oldId);
    await start(mixed);
    expect(await refusalOf({ ...old, adopt })).toContain('each names another installation');
    const empty = await emptyDatabaseAt();
    expect(await refusalOf({ ...mixed, ...empty, databaseUrl: url, adopt })).toContain('OSPREY_ADOPT=');
  });

  it('become a new installation when a backup was restored to them', async () => {
    const one = await freshServer();
    await record(one);
    await start(one);
    const [before] = await idsOf(one);

    await renewInstallation(one, one.db);

    const [folder, database] = await idsOf(one);
    expect(folder).toBe(database);
    expect(folder).not.toBe(before);
    await start(one);
  });

  it('are refused over a file that holds no id, which is named', async () => {
    const one = await freshServer();
    await writeFile(join(one.dataDir, 'installation.id'), 'mine');

    expect(await refusalOf(one)).toContain(`${one.dataDir}/installation.id holds no id`);
  });
});
