import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bookmark, ExportTask, Mission } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { simulateToFile } from '../../../../../tools/simulator/src/index.ts';
import { notedOf, withoutAudit } from '../../../test/audit.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';
import { openZip } from '../../media/formats/zip.ts';
import { getJson } from '../../media/index/file-index.ts';
import { pictureListKey } from '../../media/index/picture-files.ts';
import { csvOf } from './list-text.ts';
import { type ArchiveManifest, archiveManifest } from './manifest.ts';

const MIB = 1024 * 1024;
/** Size of one recording; 10 GB in a soak. */
const SIZE = Number(process.env.OSPREY_EXPORT_TEST_BYTES ?? 256 * MIB);
const GROWTH_MAX_BYTES = 200 * MIB;
/** Hashed, written and read again on a disk that does no more than 20 MB/s. */
const PATIENCE_MS = 60_000 + SIZE / 20_000;

const folder = mkdtempSync(join(tmpdir(), 'osprey-exports-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const server = await recordingServer();
const { db, groups, dependencies, ask } = server;
const tasks = () => keepingDependencies(dependencies).tasks;
let kea: Mission;

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 12, ships: 1 }, path);
  const made = await server.record(
    { name: 'Kea', securityClassification: 'RESTRICTED', audience: 'groups', usergroups: [groups.G1] },
    { 'EO/IR': [{ path }], Second: [{ path, name: 'second flight.ts' }] },
  );
  kea = made.mission;
});
beforeEach(async () => {
  await db.deleteFrom('tasks').execute();
});

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function openedZip(bytes: Buffer) {
  const key = `uploads/${crypto.randomUUID()}.part`;
  await dependencies.storage.put(key, [bytes]);
  const zip = await openZip(dependencies.storage, key);
  const entries = new Map<string, Buffer>();
  for (const file of zip.files.values()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of zip.read(file)) chunks.push(chunk);
    entries.set(file.name, Buffer.concat(chunks));
  }
  await zip.close();
  await dependencies.storage.remove(key);
  const manifest: ArchiveManifest = archiveManifest.parse(JSON.parse(entries.get('manifest.json')!.toString()));
  return { entries, manifest };
}

async function finishedExport(missions: string[] = ['Kea']): Promise<string> {
  const asked = await ask('A2').post<{ id: string }>('/api/missions/export', { missions, async: true });
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  await tasks().settle();
  return asked.body.id;
}

describe('a mission archive', () => {
  it('is the answer itself: originals, indexes, pictures, and a manifest with sums and labels', async () => {
    const answer = await ask('A2').post('/api/missions/export', {
      missions: ['Kea'],
      archiveFormat: 'zip',
      content: 'processed',
    });

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="osprey_RESTRICTED_Kea_\d{8}-\d{4}\d*\.zip"/,
    );
    const { entries, manifest } = await openedZip(answer.raw);
    const [mission] = manifest.missions;
    expect([manifest.label, mission!.label, mission!.usergroups, mission!.audience]).toEqual([
      'RESTRICTED',
      'RESTRICTED',
      ['G1'],
      'groups',
    ]);
    const listed = mission!.sensors.flatMap(({ originals, indexes, pictures }) => [
      ...originals,
      ...indexes,
      ...pictures,
    ]);
    expect(listed.map(({ path }) => path).sort()).toEqual(
      [...entries.keys()].filter((name) => name !== 'manifest.json').sort(),
    );
    for (const { path, sizeBytes, sha256 } of listed) {
      expect([path, entries.get(path)!.byteLength, sha(entries.get(path)!)]).toEqual([path, sizeBytes, sha256]);
    }
    const [first] = mission!.sensors;
    expect(first!.originals[0]!.sha256).toBe(kea.sensors[0]!.assets[0]!.sha256);
    expect(first!.indexes.length).toBeGreaterThan(0);
    expect(first!.pictures.length).toBeGreaterThan(0);
  });

  it('is read by other programs', async () => {
    const answer = await ask('A2').post('/api/missions/export', { missions: ['Kea'] });
    const path = join(folder, 'kea.zip');
    writeFileSync(path, answer.raw);

    const said = execFileSync('python3', [
      '-c',
      'import sys,zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())',
      path,
    ]);

    expect(said.toString().trim()).toBe('None');
  });

  it('has one content and one format', async () => {
    for (const body of [{ content: 'original' }, { archiveFormat: 'tar' }]) {
      const answer = await ask('A2').post<{ code: string }>('/api/missions/export', { missions: ['Kea'], ...body });
      expect([answer.status, answer.body.code]).toEqual([422, 'ruleRefused']);
    }
  });

  it('is refused whole when one of those named is hidden, as for one that never was', async () => {
    const hidden = await addMission(db, { name: 'Hidden', classification: 5 });

    for (const path of ['/api/missions/export', '/api/missions/exportList']) {
      const one = await ask('A2').post(path, { missions: ['Kea', hidden] });
      const none = await ask('A2').post(path, { missions: ['Kea', crypto.randomUUID()] });
      expect([one.status, one.body]).toEqual([404, none.body]);
    }
    expect((await ask('U1').post('/api/missions/export', { missions: ['Kea'] })).status).toBe(403);
  });

  it('reports a recording whose bytes are not those that were taken in', async () => {
    const row = await db
      .selectFrom('files')
      .selectAll()
      .where('name', '=', 'second flight.ts')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('files')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', row.id)
      .execute();

    const id = await finishedExport();

    await db.updateTable('files').set({ sha256: row.sha256 }).where('id', '=', row.id).execute();
    const [task] = (await ask('A2').get<ExportTask[]>('/api/exports')).body;
    expect(task).toMatchObject({ _id: id, state: 'failed' });
    expect(task!.error).toMatch(/second flight\.ts is damaged/);
    expect(await dependencies.storage.stat(`exports/${id}.zip`)).toBeNull();
  });
});

describe('an export that is made first', () => {
  it('is brought whole and in ranges that fit together', async () => {
    const id = await finishedExport();
    const [task] = (await ask('A2').get<ExportTask[]>('/api/exports')).body;
    expect(task).toMatchObject({
      ...{ _id: id, state: 'done', title: 'Kea', progress: 100 },
      securityClassification: 'RESTRICTED',
    });

    const complete = await ask('A2').get(`/api/exports/${id}`);
    const first = await ask('A2').get(`/api/exports/${id}`, { range: 'bytes=0-999' });
    const rest = await ask('A2').get(`/api/exports/${id}`, { range: 'bytes=1000-' });

    expect([complete.status, first.status, rest.status]).toEqual([200, 206, 206]);
    expect(complete.raw.byteLength).toBe(task!.sizeBytes);
    expect(first.headers['content-range']).toBe(`bytes 0-999/${task!.sizeBytes}`);
    expect(Buffer.concat([first.raw, rest.raw]).equals(complete.raw)).toBe(true);
    expect((await openedZip(complete.raw)).manifest.missions[0]!.name).toBe('Kea');
    const beyond = await ask('A2').get(`/api/exports/${id}`, { range: `bytes=${task!.sizeBytes}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${task!.sizeBytes}`]);
  });

  it('T-017 is its owner’s alone', async () => {
    const id = await finishedExport();
    const never = crypto.randomUUID();

    expect((await ask('SA').get<ExportTask[]>('/api/exports')).body).toEqual([]);
    for (const send of [
      (one: string) => ask('SA').get(`/api/exports/${one}`),
      (one: string) => ask('SA').post(`/api/exports/${one}/ticket`),
      (one: string) => ask('SA').delete(`/api/exports/${one}`),
    ]) {
      const others = await send(id);
      expect([others.status, others.body]).toEqual([404, (await send(never)).body]);
    }
    expect((await ask('A2').delete(`/api/exports/${id}`)).status).toBe(200);
    expect(await dependencies.storage.stat(`exports/${id}.zip`)).toBeNull();
  });

  it('T-103 has rows of each of its missions, asked for and downloaded, and neither without them', async () => {
    const tui = await addMission(db, { name: 'Tui', classification: 2, audience: 'everyone', state: 'Ready' });
    const before = (await notedOf(db, kea._id)).length;
    const user = server.userId('A2');

    const id = await finishedExport(['Kea', 'Tui']);
    expect((await ask('A2').get(`/api/exports/${id}`)).status).toBe(200);
    const body = { missions: ['Kea', 'Tui'] };
    expect((await ask('A2').post('/api/missions/exportList', { ...body, format: 'csv' })).status).toBe(200);

    const actions = ['mission.export', 'export.download', 'mission.export'];
    const rows = actions.map((action) => [user, action, 2]);
    expect([(await notedOf(db, kea._id)).slice(before), await notedOf(db, tui)]).toEqual([rows, rows]);
    const refused = await withoutAudit(db, async () => [
      await ask('A2').post('/api/missions/export', body),
      await ask('A2').post('/api/missions/export', { ...body, async: true }),
      await ask('A2').post('/api/missions/exportList', { ...body, format: 'csv' }),
      await ask('A2').get(`/api/exports/${id}`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(await db.selectFrom('tasks').select('id').execute()).toEqual([{ id }]);
  });

  it('allows two at a time for each user, and keeps no more than two', async () => {
    const body = { missions: ['Kea'], async: true };
    const asked = await Promise.all([1, 2, 3].map(() => ask('A2').post('/api/missions/export', body)));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect((await ask('SA').post('/api/missions/export', body)).status).toBe(200);
    await tasks().settle();

    const third = await finishedExport();

    const retained = (await ask('A2').get<ExportTask[]>('/api/exports')).body;
    expect(retained).toHaveLength(2);
    expect(retained[0]!._id).toBe(third);
  });

  it('counts those that are sent at once too, also when they are asked for together', async () => {
    const asked = await db.transaction().execute(async (tx) => {
      // Each of them waits between its check and its start for its row of the audit.
      await sql`lock table audit in exclusive mode`.execute(tx);
      const answers = [1, 2, 3].map(() => ask('A2').post('/api/missions/export', { missions: ['Kea'] }));
      expect((await Promise.race(answers)).status).toBe(429);
      return { answers };
    });

    const answers = await Promise.all(asked.answers);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect((await ask('A2').post('/api/missions/export', { missions: ['Kea'] })).status).toBe(200);
  });

  it('is not listed while a mission that its title names is hidden', async () => {
    const id = await finishedExport();
    const listed = async () => (await ask('A2').get<ExportTask[]>('/api/exports')).body.map(({ _id }) => _id);

    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', kea._id).execute();
    const hidden = await listed();
    await db.updateTable('missions').set({ classification: 2 }).where('id', '=', kea._id).execute();

    expect([hidden, await listed()]).toEqual([[], [id]]);
  });

  it('ends when the rights are taken away while it is made or afterwards', async () => {
    const id = await finishedExport();
    const waiting = await ask('A2').post<{ id: string }>('/api/missions/export', { missions: ['Kea'], async: true });
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', kea._id).execute();
    await tasks().settle();

    expect((await ask('A2').get(`/api/exports/${id}`)).status).toBe(404);
    expect((await ask('A2').post(`/api/exports/${id}/ticket`)).status).toBe(404);
    await db.updateTable('missions').set({ classification: 2 }).where('id', '=', kea._id).execute();
    const failed = (await ask('A2').get<ExportTask[]>('/api/exports')).body.find(({ _id }) => _id === waiting.body.id);
    expect(failed).toMatchObject({ state: 'failed', sizeBytes: null });
    expect(await dependencies.storage.stat(`exports/${waiting.body.id}.zip`)).toBeNull();
  });

  it('is taken up again after its process died, and fails visibly when it dies each time', async () => {
    const asked = await ask('A2').post<{ id: string }>('/api/missions/export', { missions: ['Kea'], async: true });
    const dead = { state: 'running', heartbeat: dependencies.nowUs() - 60_000_000 };
    await db
      .updateTable('tasks')
      .set({ ...dead, attempts: 1 })
      .where('id', '=', asked.body.id)
      .execute();
    await tasks().settle();
    expect((await ask('A2').get<ExportTask[]>('/api/exports')).body[0]).toMatchObject({ state: 'done' });

    await db
      .updateTable('tasks')
      .set({ ...dead, attempts: 3, ended: null })
      .where('id', '=', asked.body.id)
      .execute();
    await tasks().settle();

    expect((await ask('A2').get<ExportTask[]>('/api/exports')).body[0]).toMatchObject({
      state: 'failed',
      error: 'The server stopped during each try.',
    });
  });

  it('stops within seconds when it is cancelled', async () => {
    const asked = await ask('A2').post<{ id: string }>('/api/missions/export', { missions: ['Kea'], async: true });
    await ask('A2').delete(`/api/exports/${asked.body.id}`);
    await tasks().settle();

    expect(await dependencies.storage.stat(`exports/${asked.body.id}.zip`)).toBeNull();
    expect((await ask('A2').get<ExportTask[]>('/api/exports')).body).toEqual([]);
  });
});

describe('T-084 below 2 % of the disk', () => {
  /** Free bytes on a disk of 1 TB; the last value stays. */
  function free(...bytes: number[]): void {
    const space = vi.spyOn(dependencies.storage, 'space');
    onTestFinished(() => space.mockRestore());
    const answers = bytes.map((freeBytes) => ({ freeBytes, totalBytes: 1e12 }));
    for (const answer of answers.slice(0, -1)) space.mockResolvedValueOnce(answer);
    space.mockResolvedValue(answers.at(-1)!);
  }
  const LOW = 8e9;
  const ENOUGH = 900e9;

  it('no export begins, and one that waits or is being made ends and leaves nothing', async () => {
    const body = { missions: ['Kea'], async: true };
    const waiting = await ask('A2').post<{ id: string }>('/api/missions/export', body);
    free(LOW);

    for (const [path, asked] of [
      ['export', body],
      ['export', { missions: ['Kea'] }],
      ['exportList', { missions: ['Kea'] }],
    ] as const) {
      const answer = await ask('A2').post<{ code: string }>(`/api/missions/${path}`, asked);
      expect([answer.status, answer.body.code]).toEqual([507, 'diskFull']);
    }
    await tasks().settle();
    const [task] = (await ask('A2').get<ExportTask[]>('/api/exports')).body;

    expect(task).toMatchObject({ _id: waiting.body.id, state: 'failed' });
    expect(task!.error).toBe('There is not enough free disk space on the server.');
    expect(await dependencies.storage.stat(`exports/${waiting.body.id}.zip`)).toBeNull();
  });

  it('no picture is made, and those of a recording are when there is room again', async () => {
    const sensor = kea.sensors[0]!;
    const list = pictureListKey(kea._id, sensor._id);
    await dependencies.storage.remove(list);
    const pictures = async () => {
      await dependencies.queue.enqueue(db, 'thumbnails', { missionId: kea._id, sensorId: sensor._id });
      expect(await server.work()).toEqual([]);
      if ((await dependencies.storage.stat(list)) === null) return null;
      return (await getJson<{ pictures: unknown[] }>(dependencies.storage, list)).pictures.length;
    };

    free(LOW);
    expect(await pictures()).toBeNull();
    // The disk becomes too full while the pictures are made.
    free(ENOUGH, LOW);
    expect(await pictures()).toBe(0);
    free(ENOUGH);
    expect(await pictures()).toBeGreaterThan(0);
  });
});

describe('a list of missions', () => {
  it('holds bookmarks where they are asked for, as JSON and as CSV', async () => {
    const [sensor] = kea.sensors;
    const mark = { missionIdOrName: 'Kea', sensorIdOrName: sensor!._id, title: '=Take-off, "A"', position: 0 };
    const made = await ask('A2').post<Bookmark>('/api/bookmarks', mark);
    expect(made.status).toBe(200);
    const list = (format: string) =>
      ask('A2').post('/api/missions/exportList', { format, missions: ['Kea'], includeBookmarks: true });

    const [row] = (await list('json')).body as (Mission & { bookmarks: Bookmark[] })[];
    expect(row!.bookmarks).toMatchObject([{ title: mark.title, time: made.body.time, author: 'A2', state: 'shown' }]);
    const [head, line] = String((await list('csv')).body).split('\r\n');
    expect(head).toMatch(/,bookmarks$/);
    const iso = new Date(made.body.time / 1000).toISOString();
    expect(line!.endsWith(`,"${iso} ${sensor!.name} =Take-off, ""A"""`)).toBe(true);
    await ask('A2').delete('/api/bookmarks', { bookmarks: [made.body._id] });
  });

  it('holds the fields of each as JSON, without what opens media', async () => {
    const body = { format: 'json', missions: ['Kea'], includeBookmarks: true };
    const answer = await ask('A2').post<(Mission & { bookmarks: unknown[] })[]>('/api/missions/exportList', body);

    expect(answer.headers['content-disposition']).toMatch(/osprey_RESTRICTED_Kea_.*\.json/);
    const [row] = answer.body;
    expect(row).toMatchObject({ _id: kea._id, name: 'Kea', securityClassification: 'RESTRICTED', bookmarks: [] });
    expect(row).not.toHaveProperty('accessToken');
  });

  it('holds one line for each as CSV, and no cell that a spreadsheet would run', async () => {
    const answer = await ask('A2').post('/api/missions/exportList', { format: 'csv', missions: ['Kea'] });
    const [head, line] = String(answer.body).split('\r\n');
    expect(head).toMatch(/^\ufeffid,name,description,securityClassification/);
    expect(line).toContain(`${kea._id},Kea,`);
    expect(csvOf([{ mission: { ...kea, description: 'a "b", c' }, bookmarks: null }])).toContain('"a ""b"", c"');
  });

  it('T-089 holds hostile names and texts of any length as text', async () => {
    const cmd = '=cmd()';
    const evil = '<img/src=x/onerror=alert(1)>';
    const long = `${cmd}${'x'.repeat(10_000 - cmd.length)}`;
    const fields = { name: cmd, description: long, platform_name: evil, tags: ['@SUM(1)', '\u202e=1'] };
    const id = await addMission(db, { audience: 'everyone', state: 'Ready', ...fields });
    await addSensor(db, id, { name: '+1' });

    const { body } = await ask('A2').post<string>('/api/missions/exportList', { format: 'csv', missions: [id] });
    await db.deleteFrom('missions').where('id', '=', id).execute();

    const [, line = ''] = body.split('\r\n');
    expect(line.startsWith(`${id},'${cmd},'${long},UNCLASSIFIED,`)).toBe(true);
    expect(line).toContain(`,${evil},`);
    expect(line).toContain(`,'@SUM(1);\u202e=1,'+1,`);
  });
});

it('reads a stored archive back byte for byte', async () => {
  const id = await finishedExport();
  const complete = await ask('A2').get(`/api/exports/${id}`);
  const { entries, manifest } = await openedZip(complete.raw);

  const original = manifest.missions[0]!.sensors[0]!.originals[0]!;
  expect(entries.get(original.path)!.equals(readFileSync(join(folder, 'kea.ts')))).toBe(true);
});

describe('a long transfer', () => {
  let address: string;
  let long: string;

  beforeAll(async () => {
    address = await server.listen();
    long = await addMission(db, { name: 'Long', audience: 'groups', classification: 2, state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: long, usergroup_id: groups.G1 }).execute();
    const sensor = await addSensor(db, long, { state: 'Ready' });
    const key = `originals/${sensor}/${crypto.randomUUID()}.ts`;
    await dependencies.storage.put(key, [new Uint8Array(188)]);
    truncateSync(dependencies.storage.path(key), SIZE);
    const file = { sensor_id: sensor, kind: 'ts', name: 'long.ts', size_bytes: SIZE, storage_key: key, created: 0 };
    const none = { sha256: null, rendition_key: null, message: null, last_modified: null };
    const times = { start_time: null, end_time: null, uploaded_by: null };
    await db
      .insertInto('files')
      .values({ ...file, ...none, ...times })
      .execute();
  }, 60_000);

  it('T-084 ends where the disk falls below 2 % while its archive is written', async () => {
    const room = { freeBytes: 900e9, totalBytes: 1e12 };
    const space = vi.spyOn(dependencies.storage, 'space');
    onTestFinished(() => space.mockRestore());
    // For who asks, and for the beginning of the work.
    space
      .mockResolvedValueOnce(room)
      .mockResolvedValueOnce(room)
      .mockResolvedValue({ ...room, freeBytes: 8e9 });

    const begun = await ask('A2').post<{ id: string }>('/api/missions/export', { missions: ['Long'], async: true });
    await tasks().settle();

    const [task] = (await ask('A2').get<ExportTask[]>('/api/exports')).body;
    expect(task).toMatchObject({ _id: begun.body.id, state: 'failed' });
    expect(task!.error).toBe('There is not enough free disk space on the server.');
    expect(await dependencies.storage.stat(`exports/${begun.body.id}.zip`)).toBeNull();
  });

  it('shows its progress while it is made, and leaves nothing when it is cancelled', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { put } = dependencies.storage;
    const writing = vi
      .spyOn(dependencies.storage, 'put')
      .mockImplementationOnce((key, source) => put(key, heldAt(SIZE / 8, source)));
    onTestFinished(() => {
      goOn();
      writing.mockRestore();
    });
    async function* heldAt(limit: number, source: Parameters<typeof put>[1]) {
      let bytes = 0;
      for await (const part of source) {
        if (bytes < limit && bytes + part.byteLength >= limit) await held;
        bytes += part.byteLength;
        yield part;
      }
    }
    const exports = async () => (await ask('A2').get<ExportTask[]>('/api/exports')).body;

    const begun = await ask('A2').post<{ id: string }>('/api/missions/export', { missions: ['Long'], async: true });
    const work = tasks().settle();
    await expect.poll(async () => (await exports())[0]?.progress).toBeGreaterThan(12);
    expect(await exports()).toMatchObject([{ _id: begun.body.id, state: 'running', sizeBytes: null }]);
    expect((await exports())[0]!.progress).toBeLessThan(25);
    await ask('A2').delete(`/api/exports/${begun.body.id}`);
    goOn();
    await work;

    expect(await exports()).toEqual([]);
    expect(await dependencies.storage.stat(`exports/${begun.body.id}.zip`)).toBeNull();
  });

  const asked = () =>
    fetch(`${address}/api/missions/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server.headersOf('A2') },
      body: JSON.stringify({ missions: ['Long'] }),
    });

  /** The most that this process, server and reader at once, grew by while the work went on. */
  async function grownBy(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage().rss;
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    await work().finally(() => clearInterval(look));
    return most - before;
  }

  async function lengthOf(answer: Response): Promise<number> {
    let bytes = 0;
    for await (const part of answer.body!) bytes += (part as Uint8Array).byteLength;
    return bytes;
  }

  it('takes no memory that grows with the archive, at once or made first', {
    tags: 'long',
    timeout: PATIENCE_MS,
  }, async () => {
    const lengths: number[] = [];
    const streamed = await grownBy(async () => lengths.push(await lengthOf(await asked())));
    let id = '';
    const made = await grownBy(async () => {
      id = await finishedExport(['Long']);
    });
    const download = () => fetch(`${address}/api/exports/${id}`, { headers: server.headersOf('A2') });
    const downloaded = await grownBy(async () => lengths.push(await lengthOf(await download())));

    expect(lengths[0]).toBeGreaterThan(SIZE);
    expect(lengths[1]).toBe(lengths[0]);
    const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
    process.stdout.write(
      `exports: of ${SIZE} bytes, ${mib(streamed)} more while it is streamed, ${mib(made)} while it is made, ` +
        `${mib(downloaded)} while it is downloaded\n`,
    );
    expect(Math.max(streamed, made, downloaded)).toBeLessThan(GROWTH_MAX_BYTES);
    expect((await ask('A2').delete(`/api/exports/${id}`)).status).toBe(200);
  });

  it('ends when the rights to one of its missions are taken away', async () => {
    const reader = (await asked()).body!.getReader();
    await reader.read();
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', long).execute();

    await expect.poll(() => server.reads.size()).toBe(0);
    const rest = async () => {
      while (!(await reader.read()).done);
      return 'whole';
    };
    await expect(rest()).rejects.toThrow();
  }, 60_000);
});
