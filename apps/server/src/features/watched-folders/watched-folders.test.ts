import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IntakeFile, Mission, WatchFolder } from '@osprey/contract';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { simulateToFile } from '../../../../../tools/simulator/src/index.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile, H264, testPictures } from '../../../test/containers.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { foldersOf } from '../../compose/keeping.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';

/** Reading it fails as on a damaged disk: address 0 of any process gives EIO. */
const damaged = 'damaged.ts';
let isDamaged = true;
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const createReadStream: typeof fs.createReadStream = (path, options) =>
    fs.createReadStream(isDamaged && String(path).endsWith(damaged) ? '/proc/self/mem' : path, options);
  return { ...fs, createReadStream };
});

const base = mkdtempSync(join(tmpdir(), 'osprey-intake-'));
atEnd(() => rmSync(base, { recursive: true, force: true }));
const root = join(base, 'watched');
mkdirSync(root);
const server = await recordingServer({
  config: { watch: [{ path: root, label: 3, groups: ['G1', 'nobody knows'], platform: 'Heron' }] },
});
const { db, groups, dependencies, ask } = server;
const flights = { one: join(base, 'one.ts'), two: join(base, 'two.ts') };
let inbox: string;
let clockMs = 0;

beforeAll(async () => {
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 4, ships: 1 }, flights.one);
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 5, ships: 1, seed: 7 }, flights.two);
  inbox = join(server.dataDir, 'inbox');
});
beforeEach(async () => {
  await db.deleteFrom('missions').execute();
  await db.deleteFrom('watch_folders').execute();
  await db.deleteFrom('tasks').execute();
  for (const folder of [root, inbox]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  keeping = keepingDependencies({ ...dependencies, nowMs: () => clockMs });
});

let keeping = keepingDependencies({ ...dependencies, nowMs: () => clockMs });

/** Two looks, with this much time between them. */
async function look(quietMs = 10_000) {
  await keeping.scanner.look();
  clockMs += quietMs;
  await keeping.scanner.look();
}

const report = async (who: 'SA' | 'A2' = 'SA') => (await ask(who).get<IntakeFile[]>('/api/intake/files')).body;
const missions = async () =>
  (await ask('SA').get<Mission[]>('/api/missions/brief')).body.sort((a, b) => a.name.localeCompare(b.name));

async function addFolder(fields: object = {}, name = 'drop') {
  const path = join(inbox, name);
  mkdirSync(path, { recursive: true });
  const body = { path, securityClassification: 'RESTRICTED', usergroups: [groups.G1], ...fields };
  const answer = await ask('SA').post<WatchFolder>('/api/intake/folders', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { path, folder: answer.body };
}

describe('a watched folder', () => {
  it('makes missions with its own label, groups and platform once their files have not changed for 10 s', async () => {
    const { path } = await addFolder({ platform: { name: 'Kite', type: 'Plane' } });
    const file = join(path, 'first flight.ts');
    copyFileSync(flights.one, file);
    await keeping.scanner.look();
    for (const change of [
      // Written again, and grown by one null packet while its time stays.
      () => utimesSync(file, new Date(1e12), new Date(1e12)),
      () => {
        appendFileSync(file, Buffer.alloc(188, 0xff).fill(Uint8Array.of(0x47, 0x1f, 0xff, 0x10), 0, 4));
        utimesSync(file, new Date(1e12), new Date(1e12));
        expect(statSync(file).mtimeMs).toBe(1e12);
      },
    ]) {
      clockMs += 9999;
      await keeping.scanner.look();
      expect(await missions()).toEqual([]);
      change();
      // The wait starts again.
      clockMs += 1;
      await keeping.scanner.look();
      expect(await missions()).toEqual([]);
    }
    clockMs += 9999;
    await keeping.scanner.look();
    expect(await missions()).toEqual([]);
    clockMs += 1;
    await keeping.scanner.look();

    expect(await server.work()).toEqual([]);
    const [mission, ...others] = await missions();
    expect(others).toEqual([]);
    expect(mission).toMatchObject({
      name: 'first_flight',
      state: 'Ready',
      securityClassification: 'RESTRICTED',
      marked: true,
      usergroups: [groups.G1],
      platform: { name: 'Kite' },
    });
    expect(await report()).toMatchObject([
      {
        name: 'first flight.ts',
        outcome: 'taken',
        mission: { name: 'first_flight' },
        securityClassification: 'RESTRICTED',
        marked: true,
      },
    ]);
    expect(existsSync(file)).toBe(true);
    await look();
    expect(await missions()).toHaveLength(1);
  });

  it('knows a recording by its sum, among what its maker sees, and takes each once', async () => {
    const { path } = await addFolder();
    copyFileSync(flights.one, join(path, 'a.ts'));
    await look();
    copyFileSync(flights.one, join(path, 'b.ts'));
    await look();

    expect(await missions()).toHaveLength(1);
    const [second] = await report();
    expect(second).toMatchObject({ name: 'b.ts', outcome: 'duplicate', reason: 'It is in the mission a already.' });
  });

  it('takes recordings of its subfolders too, but not those of a watched folder inside it or put aside', async () => {
    const { path } = await addFolder({ moveFiles: true });
    const inner = await addFolder({ securityClassification: 'SECRET', usergroups: [groups.G2] }, 'drop/inner');
    mkdirSync(join(path, 'day 1', 'morning'), { recursive: true });
    copyFileSync(flights.one, join(path, 'day 1', 'morning', 'first flight.ts'));
    copyFileSync(flights.two, join(inner.path, 'second.ts'));
    symlinkSync(base, join(path, 'day 1', 'way-out'));
    await look();

    expect((await missions()).map(({ name, securityClassification: label }) => [name, label])).toEqual([
      ['day_1_morning_first_flight', 'RESTRICTED'],
      ['second', 'SECRET'],
    ]);
    expect(readdirSync(join(path, 'day 1', 'morning'))).toEqual(['taken']);
    const names = (await report()).map(({ name, outcome }) => [name, outcome]).sort();
    expect(names).toEqual([
      ['day 1/morning/first flight.ts', 'taken'],
      ['day 1/way-out', 'refused'],
      ['second.ts', 'taken'],
    ]);
    await look();
    expect(await missions()).toHaveLength(2);
  });

  it.skipIf(!existsSync('/usr/bin/ffmpeg'))('takes an MP4 as a drone saves it, with its .SRT', async () => {
    const { path } = await addFolder({ moveFiles: true });
    const mp4 = containerFile('a.mp4', [...testPictures(2), ...H264, '-an']);
    const srt = [0, 1].map(
      (n) => `${n + 1}\n00:00:0${n},000 --> 00:00:0${n + 1},000\n[latitude: 50.000${n}] [longitude: 8.1]\n`,
    );
    writeFileSync(join(path, 'DJI_0001.SRT'), srt.join('\n'));
    writeFileSync(join(path, 'DJI_0001.MP4'), mp4);
    writeFileSync(join(path, 'other.srt'), srt.join('\n'));
    await look();
    expect(await server.work()).toEqual([]);

    const [mission, ...more] = await missions();
    expect(more).toEqual([]);
    expect(mission).toMatchObject({ name: 'DJI_0001', state: 'Ready' });
    const { sensors } = (await ask('SA').get<Mission>(`/api/missions/${mission!._id}`)).body;
    expect(sensors.map(({ assets }) => assets.map(({ kind }) => kind).sort())).toEqual([['mp4', 'sidecar']]);
    expect(sensors[0]!.klv).toEqual({ state: 'good', text: 'Telemetry comes from DJI_0001.SRT: 2 records.' });
    expect((await report()).map(({ name, outcome, mission: of }) => [name, outcome, of?.name]).sort()).toEqual([
      ['DJI_0001.MP4', 'taken', 'DJI_0001'],
      ['DJI_0001.SRT', 'taken', 'DJI_0001'],
      ['other.srt', 'refused', undefined],
    ]);
    expect(readdirSync(path).sort()).toEqual(['refused', 'taken']);
    await look();
    expect(await missions()).toHaveLength(1);
  });

  it('refuses a file that cannot be read, goes on with the others, and takes it once it can be read', async () => {
    const { path } = await addFolder({ moveFiles: true });
    copyFileSync(flights.one, join(path, damaged));
    copyFileSync(flights.two, join(path, 'sound.ts'));
    await look();

    const outcomes = async () => (await report()).map(({ name, outcome, reason }) => [name, outcome, reason]).sort();
    const reason = 'This file cannot be used: it cannot be read (EIO).';
    expect(await outcomes()).toEqual([
      [damaged, 'refused', reason],
      ['sound.ts', 'taken', null],
    ]);
    expect((await ask('SA').get<{ folders: WatchFolder[] }>('/api/intake/folders')).body.folders).toMatchObject([
      { problem: null },
    ]);
    expect(existsSync(join(path, damaged))).toBe(true);

    isDamaged = false;
    await look();
    expect((await outcomes())[0]).toEqual([damaged, 'refused', reason]);
    await look(600_000);
    isDamaged = true;

    expect(await outcomes()).toEqual([
      [damaged, 'taken', null],
      ['sound.ts', 'taken', null],
    ]);
  });

  it('refuses what is no recording, and links that lead out, and says why', async () => {
    const { path } = await addFolder({ moveFiles: true });
    writeFileSync(join(path, 'notes.txt'), 'nothing to see');
    writeFileSync(join(base, 'secret.ts'), 'outside');
    copyFileSync(flights.one, join(base, 'outside.ts'));
    symlinkSync(join(base, 'outside.ts'), join(path, 'link.ts'));
    copyFileSync(flights.two, join(path, 'good.ts'));
    await look();

    expect((await missions()).map(({ name }) => name)).toEqual(['good']);
    const rows = new Map((await report()).map((row) => [row.name, row]));
    expect(rows.get('link.ts')).toMatchObject({
      outcome: 'refused',
      reason: 'It is a link that leads out of the folder.',
    });
    expect(rows.get('notes.txt')!.outcome).toBe('refused');
    expect(rows.get('notes.txt')!.reason).toMatch(/not a transport stream/);
    expect(readdirSync(path).sort()).toEqual(['refused', 'taken']);
    expect(readdirSync(join(path, 'taken'))).toEqual(['good.ts']);
    expect(readdirSync(join(path, 'refused')).sort()).toEqual(['link.ts', 'notes.txt']);
    expect(existsSync(join(base, 'outside.ts'))).toBe(true);
  });

  it('is below a root of the configuration, or is refused without revealing what is there', async () => {
    const outside = await ask('SA').post<{ text: string }>('/api/intake/folders', {
      path: base,
      securityClassification: 1,
      usergroups: [groups.G1],
    });
    const absent = await ask('SA').post<{ text: string }>('/api/intake/folders', {
      path: '/nowhere',
      securityClassification: 1,
      usergroups: [groups.G1],
    });
    expect([outside.status, outside.body.text]).toEqual([422, absent.body.text]);
    symlinkSync(base, join(inbox, 'way-out'));
    const led = await ask('SA').post('/api/intake/folders', {
      path: join(inbox, 'way-out'),
      securityClassification: 1,
      usergroups: [groups.G1],
    });
    expect(led.status).toBe(422);
    for (const path of [dependencies.storage.path('originals/x'), join(server.dataDir, 'keys')]) {
      expect((await ask('SA').post('/api/intake/folders', { path, securityClassification: 1 })).status).toBe(422);
    }
  });

  it('is hidden, with its files, from admins who are not cleared for it', async () => {
    const { path, folder } = await addFolder({ securityClassification: 'SECRET', usergroups: [groups.G2] });
    writeFileSync(join(path, 'notes.txt'), 'nothing to see');
    await look();

    expect((await ask('A2').get<{ folders: WatchFolder[] }>('/api/intake/folders')).body.folders).toEqual([]);
    expect(await report('A2')).toEqual([]);
    const none = await ask('A2').delete(`/api/intake/folders/${crypto.randomUUID()}`);
    const hidden = await ask('A2').delete(`/api/intake/folders/${folder._id}`);
    expect([hidden.status, hidden.body]).toEqual([404, none.body]);
    const above = await ask('A2').post('/api/intake/folders', {
      path,
      securityClassification: 'SECRET',
      usergroups: [groups.G2],
    });
    expect(above.status).toBe(403);
    expect((await ask('A2').post('/api/intake/folders', { path })).status).toBe(403);
  });

  it('without a label makes missions at the highest label, unmarked and without an audience', async () => {
    const { path } = await addFolder({ securityClassification: null, usergroups: [] });
    copyFileSync(flights.one, join(path, 'a.ts'));
    await look();

    const [mission] = await missions();
    expect([mission!.securityClassification, mission!.marked, mission!.usergroups]).toEqual(['TOP SECRET', false, []]);
  });

  it('rests while its maker cannot sign in, and says so', async () => {
    const { path } = await addFolder();
    copyFileSync(flights.one, join(path, 'a.ts'));
    await db
      .updateTable('watch_folders')
      .set({ user_id: server.userId('A2') })
      .execute();
    await db.updateTable('users').set({ disabled: true }).where('username', '=', 'A2').execute();
    await look();
    await db.updateTable('users').set({ disabled: false }).where('username', '=', 'A2').execute();

    expect(await missions()).toEqual([]);
    const { folders } = (await ask('SA').get<{ folders: WatchFolder[] }>('/api/intake/folders')).body;
    expect(folders[0]!.problem).toMatch(/cannot sign in/);
    rmSync(path, { recursive: true });
    await keeping.scanner.look();
    const after = (await ask('SA').get<{ folders: WatchFolder[] }>('/api/intake/folders')).body.folders[0];
    expect(after!.problem).toBe('The folder is not there.');
  });

  it('may be in OSPREY_WATCH, with label, groups by name and platform', async () => {
    await foldersOf(dependencies).configure();
    copyFileSync(flights.two, join(root, 'two.ts'));
    await look();

    const [mission] = await missions();
    expect(mission).toMatchObject({
      name: 'two',
      securityClassification: 'CONFIDENTIAL',
      usergroups: [groups.G1],
      platform: { name: 'Heron' },
    });
    const { folders } = (await ask('SA').get<{ folders: WatchFolder[] }>('/api/intake/folders')).body;
    expect(folders[0]).toMatchObject({ path: root, fromConfiguration: true });
    expect((await ask('SA').delete(`/api/intake/folders/${folders[0]!._id}`)).status).toBe(422);
  });
});

describe('a list', () => {
  const send = (folder: WatchFolder, format: string, text: string) =>
    ask('SA').post<{ text: string }>(`/api/intake/folders/${folder._id}/list`, { format, text });

  it('makes missions of its rows, in CSV as in JSON, and reports what was not taken and why', async () => {
    const { path, folder } = await addFolder({ enabled: false });
    copyFileSync(flights.one, join(path, 'one.ts'));
    copyFileSync(flights.two, join(path, 'two.ts'));
    const csv = [
      'name,files,description,securityClassification,tags,platform',
      'Kea,one.ts,"Ferries, at Kea",UNCLASSIFIED,ferry;night,Heron',
      'Gone,none.ts,,,,',
      'Again,one.ts,,,,',
      'Wrong,two.ts,,COSMIC,,',
    ].join('\r\n');
    expect((await send(folder, 'csv', csv)).status).toBe(200);
    await keeping.tasks.settle();

    const [kea, ...others] = await missions();
    expect(others).toEqual([]);
    expect(kea).toMatchObject({
      name: 'Kea',
      description: 'Ferries, at Kea',
      securityClassification: 'UNCLASSIFIED',
      tags: ['ferry', 'night'],
      platform: { name: 'Heron' },
      usergroups: [groups.G1],
    });
    const rows = await report();
    expect(rows.map(({ name, outcome, reason }) => [name, outcome, reason]).sort()).toEqual([
      ['none.ts', 'refused', 'There is no file none.ts in the folder.'],
      ['one.ts', 'duplicate', 'It is in the mission Kea already.'],
      ['one.ts', 'taken', null],
      ['two.ts', 'refused', 'The label COSMIC is not known.'],
    ]);
    const { size } = statSync(flights.one);
    expect(rows.filter(({ name }) => name === 'one.ts')).toMatchObject(
      [0, 1].map(() => ({ sizeBytes: size, mission: { _id: kea!._id, name: 'Kea' } })),
    );
    await send(folder, 'json', JSON.stringify([{ name: 'Both', files: ['two.ts'], usergroups: ['G1'] }]));
    await keeping.tasks.settle();
    expect((await missions()).map(({ name }) => name)).toEqual(['Both', 'Kea']);
  });

  it('reports each of its rows once, also if it names files twice or again, and resumes where its process died', async () => {
    const { path, folder } = await addFolder();
    copyFileSync(flights.one, join(path, 'one.ts'));
    copyFileSync(flights.one, join(path, 'copy.ts'));
    const list = JSON.stringify(['one.ts', 'copy.ts', 'none.ts', 'none.ts', 'one.ts'].map((files) => ({ files })));
    await send(folder, 'json', list);
    await keeping.tasks.settle();

    const known = 'It is in the mission one already.';
    const none = 'There is no file none.ts in the folder.';
    const rows = async () => (await report()).map(({ name, outcome, reason }) => [name, outcome, reason]).sort();
    const first = [
      ['copy.ts', 'duplicate', known],
      ['none.ts', 'refused', none],
      ['none.ts', 'refused', none],
      ['one.ts', 'duplicate', known],
      ['one.ts', 'taken', null],
    ];
    expect(await rows()).toEqual(first);

    // As if the process had died after the second row.
    const dead = { state: 'running', heartbeat: dependencies.nowUs() - 60_000_000, attempts: 1, ended: null };
    await db
      .updateTable('tasks')
      .set({ ...dead, result: JSON.stringify({ done: 2 }) })
      .execute();
    await db.deleteFrom('intake_files').where('outcome', '=', 'refused').execute();
    await keeping.tasks.settle();
    expect(await rows()).toEqual(first);

    await send(folder, 'json', JSON.stringify([{ files: 'one.ts' }, { files: 'copy.ts' }]));
    await keeping.tasks.settle();
    const [copy, ...others] = first;
    expect(await rows()).toEqual([copy, copy, ...others.slice(0, 2), others[2], others[2], others[3]]);
    // Files that the list took or knew are not looked at by the watch of its folder.
    await look();
    expect(await rows()).toHaveLength(7);
    expect(await missions()).toHaveLength(1);
  });

  it('goes on after a row whose file cannot be read, and one for which there is no room', async () => {
    const { path, folder } = await addFolder({ enabled: false });
    copyFileSync(flights.one, join(path, damaged));
    copyFileSync(flights.two, join(path, 'large.ts'));
    copyFileSync(flights.one, join(path, 'small.ts'));
    truncateSync(join(path, 'large.ts'), 2 ** 43);
    await send(folder, 'json', JSON.stringify([{ files: damaged }, { files: 'large.ts' }, { files: 'small.ts' }]));
    await keeping.tasks.settle();

    expect((await report()).map(({ name, outcome, reason }) => [name, outcome, reason]).sort()).toEqual([
      [damaged, 'refused', 'This file cannot be used: it cannot be read (EIO).'],
      ['large.ts', 'refused', 'There is not enough free disk space on the server.'],
      ['small.ts', 'taken', null],
    ]);
  });

  it('that is given up is in the report with every row that was not reached', async () => {
    const { path, folder } = await addFolder({ enabled: false });
    copyFileSync(flights.one, join(path, 'one.ts'));
    await send(folder, 'json', JSON.stringify([{ files: 'one.ts' }, { files: 'two.ts' }]));
    await db.updateTable('tasks').set({ attempts: 3 }).execute();
    await keeping.tasks.settle();

    const reason = 'The server stopped during each try.';
    expect((await report()).map(({ name, outcome, reason: said }) => [name, outcome, said]).sort()).toEqual([
      ['one.ts', 'refused', reason],
      ['two.ts', 'refused', reason],
    ]);
  });

  it('is refused whole when it cannot be read, with the row that is wrong', async () => {
    const { folder } = await addFolder();
    for (const [format, text, said] of [
      ['json', '{', 'The list is not JSON.'],
      ['json', '{}', 'The list is not an array of objects.'],
      ['json', '[]', 'The list has no rows.'],
      ['json', '[{"files":"a.ts","else":1}]', /^Row 1 is not valid/],
      ['csv', 'name,colour\r\na,b', /^The first line must name the columns/],
    ] as const) {
      const answer = await send(folder, format, text);
      expect([answer.status, answer.body.text]).toEqual([
        422,
        typeof said === 'string' ? said : expect.stringMatching(said),
      ]);
    }
  });

  it('reaches no file outside its folder', async () => {
    const { folder } = await addFolder();
    copyFileSync(flights.one, join(base, 'outside.ts'));
    await send(
      folder,
      'json',
      JSON.stringify([{ files: ['../../../outside.ts'] }, { files: [join(base, 'outside.ts')] }]),
    );
    await keeping.tasks.settle();

    expect(await missions()).toEqual([]);
    expect((await report()).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });
});
