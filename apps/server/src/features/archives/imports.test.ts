import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Annotation,
  AnnotationRow,
  Bookmark,
  Clip,
  ImportTask,
  Mission,
  SensorTimeline,
  SnapshotMark,
  SnapshotMoment,
} from '@osprey/contract';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { simulateToFile } from '../../../../../tools/simulator/src/index.ts';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { reportOf } from '../../../test/ais.ts';
import { newAnnotationBody, pointAt } from '../../../test/annotations.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { containerFile } from '../../../test/containers.ts';
import { type RecordingServer, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { zipOf } from '../../../test/zip-writer.ts';
import { actorsById } from '../../base/access/actors.ts';
import { uploadReserve } from '../../base/storage/space-rule.ts';
import { productContents } from '../../compose/contents.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';
import { sensorIndexes } from '../../media/play/sensor-index-cache.ts';
import { telemetryReader } from '../../telemetry/reader.ts';
import { archivedMissions } from '../missions/archived.ts';
import { contentsOf } from './contents.ts';
import type { ArchiveManifest } from './manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'osprey-imports-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const here = await recordingServer();
const there = await recordingServer();
let original: Mission;
let archive: Buffer;
let flight: Buffer;

/** A PNG of one white dot. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 12, ships: 1 }, path);
  flight = readFileSync(path);
  const { mission } = await here.record(
    {
      name: 'Kea',
      description: 'Ferries at Kea',
      securityClassification: 'CONFIDENTIAL',
      audience: 'groups',
      usergroups: [here.groups.G1, here.groups.G2],
      platform: { name: 'Heron', type: 'Plane', presentation: { color: '#c04000' } },
      rating: 4,
      country_code: 'GR',
      country_name: 'Greece',
      tags: ['ferry', 'night'],
      sortOrder: 3,
    },
    { 'EO/IR': [{ path }], Second: [{ path, name: 'second.ts' }] },
  );
  await here.ask('SA').post(`/api/sensors/${mission.sensors[1]!._id}/shift`, { shift: 2_500_000 });
  for (const [who, title, sensorIdOrName, position] of [
    ['U1', 'Ferry', 'EO/IR', 4],
    ['GA', 'Wake', 'Second', 6.5],
    ['SA', 'By somebody else', 'EO/IR', 8],
  ] as const) {
    const body = { missionIdOrName: mission._id, sensorIdOrName, title, position, text: 'seen', tags: ['ferry'] };
    expect((await here.ask(who).post('/api/bookmarks', body)).status).toBe(200);
  }
  const stranger = { author: 'nobody there', editor: 'nobody there', author_id: null };
  await here.db.updateTable('bookmarks').set(stranger).where('title', '=', 'By somebody else').execute();
  for (const [who, title, sensors] of [
    ['U1', 'Landing', [0]],
    ['SA', 'Both views', [1, 0]],
  ] as const) {
    const body = { missionIdOrName: mission._id, sensors: sensors.map((at) => mission.sensors[at]!._id), title };
    const made = await here
      .ask(who)
      .post('/api/clips', { ...body, markIn: '4', markOut: '7', note: 'quay', tags: ['x'] });
    expect(made.status).toBe(200);
  }
  await here.db.updateTable('clips').set(stranger).where('title', '=', 'Both views').execute();
  const { startTime } = (
    await here.ask('SA').get<SensorTimeline>(`/api/sensors/timeline/${mission._id}/${mission.sensors[0]!._id}`)
  ).body;
  const onVideo = { frame: { sensorId: mission.sensors[0]!._id, time: startTime + 1_000_000 } };
  for (const [who, title, fields] of [
    ['GA', 'Pier', { restricted: true, usergroups: [here.groups.G1], startTime: 5, endTime: 9 }],
    ['SA', 'Anchorage', { securityClassification: 'SECRET', usergroups: [here.groups.G2], ...onVideo }],
  ] as const) {
    const features = [pointAt(24.3, 37.6, { featureTitle: title, stroke: '#ff0000' }), pointAt(24.4, 37.7)];
    const shared = {
      securityClassification: 'CONFIDENTIAL',
      audience: 'groups',
      tags: ['port'],
      missionId: mission._id,
    };
    const body = newAnnotationBody({ ...shared, title, features, ...fields });
    expect((await here.ask(who).post('/api/annotations', body)).status).toBe(200);
  }
  const taken = await here.ask('U1').post('/api/snapshots', {
    ...{ missionName: 'Kea', sensorName: 'EO/IR', title: 'Ferry at quay', timestamp: startTime + 2_000_000 },
    ...{ securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups: [here.groups.G1], tags: ['ferry'] },
    overlaysDataUrl: `data:image/png;base64,${PICTURE}`,
  });
  expect(taken.status).toBe(200);
  original = (await here.ask('SA').get<Mission>(`/api/missions/${mission._id}`)).body;
  archive = (await here.ask('SA').post('/api/missions/export', { missions: ['Kea'] })).raw;
  expect(archive.subarray(0, 2).toString()).toBe('PK');
});
beforeEach(async () => {
  await there.db.deleteFrom('tasks').execute();
  await there.db.deleteFrom('missions').execute();
  await there.db.deleteFrom('documents').execute();
  await there.dependencies.storage.removeAll('originals');
});

const tus = { 'tus-resumable': '1.0.0' };
const patchType = { 'content-type': 'application/offset+octet-stream' };

async function upload(server: RecordingServer, who: Subject, bytes: Buffer, parts = 1): Promise<string> {
  const metadata = `filename ${Buffer.from('kea.zip').toString('base64')}`;
  const made = await server.asUser(who).inject({
    method: 'POST',
    url: '/api/imports',
    headers: { ...tus, 'upload-length': String(bytes.byteLength), 'upload-metadata': metadata },
  });
  if (made.statusCode !== 201) return String(made.statusCode);
  const address = String(made.headers.location);
  const step = Math.ceil(bytes.byteLength / parts);
  for (let offset = 0; offset < bytes.byteLength; offset += step) {
    const asked = await server.asUser(who).inject({ method: 'HEAD', url: address, headers: tus });
    expect(asked.headers['upload-offset']).toBe(String(offset));
    const sent = await server.asUser(who).inject({
      method: 'PATCH',
      url: address,
      headers: { ...tus, ...patchType, 'upload-offset': String(offset) },
      payload: bytes.subarray(offset, offset + step),
    });
    expect(sent.statusCode, sent.body).toBe(204);
  }
  return address.split('/').at(-1) ?? '';
}

async function taken(bytes: Buffer, who: Subject, parts = 1): Promise<ImportTask> {
  const id = await upload(there, who, bytes, parts);
  await keepingDependencies(there.dependencies).tasks.settle();
  return (await there.ask(who).get<ImportTask[]>('/api/imports')).body.find(({ _id }) => _id === id)!;
}

async function imported(bytes: Buffer, who: Subject = 'SA', parts = 1) {
  const task = await taken(bytes, who, parts);
  const failures = await there.work();
  return { task, failures };
}

const leftovers = async () => {
  const keys: string[] = [];
  for (const top of ['imports', 'originals', 'uploads']) {
    for await (const { key } of there.dependencies.storage.list(top)) keys.push(key);
  }
  return keys;
};

/**
 * A mission without the fields in which two servers may differ: ids and addresses made of them, and its life on its
 * server.
 */
function comparable(mission: Mission, groupNames: Record<string, string>) {
  const { _id, accessToken, thumbnail, views, revision, usergroups, progress, sensors, ...same } = mission;
  return {
    ...same,
    hasThumbnail: thumbnail !== null,
    usergroups: usergroups.map((id) => groupNames[id]).sort(),
    sensors: sensors.map(({ _id, missionId, thumbnail, hlsProps, assets, views, progress, ...sensor }) => ({
      ...sensor,
      hasThumbnail: thumbnail !== null,
      hlsProps: hlsProps && { ...hlsProps, url: '' },
      assets: assets.map(({ _id, path, ...asset }) => asset),
    })),
  };
}

const namesOf = ({ groups }: RecordingServer) =>
  Object.fromEntries(Object.entries(groups).map(([name, id]) => [id, name]));

/** The parts of a bookmark that are equal on two servers: its frame by the name of its file. */
async function bookmarksOn(server: RecordingServer, { _id, sensors }: Mission) {
  const names = new Map(sensors.flatMap(({ assets }) => assets.map((asset) => [asset._id, asset.name])));
  const all = (await server.ask('SA').get<Bookmark[]>(`/api/bookmarks?missionIdOrName=${_id}`)).body;
  return all.map(({ title, text, tags, time, position, state, sensorName, author, anchor }) => ({
    ...{ title, text, tags, time, position, state, sensorName, author },
    anchor: anchor && { ...anchor, fileId: names.get(anchor.fileId) },
  }));
}

/** The parts of a clip that are equal on two servers: its frames by the names of their files. */
async function clipsOn(server: RecordingServer, { _id, sensors }: Mission) {
  const names = new Map(sensors.flatMap(({ assets }) => assets.map((asset) => [asset._id, asset.name])));
  const all = (await server.ask('SA').get<Clip[]>(`/api/clips?missionIdOrName=${_id}`)).body;
  const frame = (anchor: Clip['cuts'][number]['in']) => anchor && { ...anchor, fileId: names.get(anchor.fileId) };
  return all
    .map(({ _id: _own, missionId: _mission, cuts, ...same }) => ({
      ...same,
      cuts: cuts.map((cut) => ({ ...cut, sensorId: '', in: frame(cut.in), out: frame(cut.out) })),
    }))
    .sort((a, b) => a.title.localeCompare(b.title));
}

/** The parts of an annotation that are equal on two servers: its usergroups by name. */
async function annotationsOn(server: RecordingServer, missionId: string) {
  const names = namesOf(server);
  const { body: rows } = await server.ask('SA').get<AnnotationRow[]>('/api/annotations');
  const own = rows.filter((row) => row.missionId === missionId).sort((a, b) => a.title.localeCompare(b.title));
  const { sensors } = (await server.ask('SA').get<Mission>(`/api/missions/${missionId}`)).body;
  const named = new Map(sensors.flatMap((one) => [one, ...one.assets].map(({ _id, name }) => [_id, name] as const)));
  return Promise.all(
    own.map(async (row) => {
      const { body } = await server.ask('SA').get<Annotation>(`/api/annotations?id=${row._id}`);
      const { _id, missionId: _mission, authorId: _author, usergroups, frame, ...same } = body;
      const drawnOn = frame && {
        ...{ ...frame, sensorId: named.get(frame.sensorId!) },
        anchor: { ...frame.anchor, fileId: named.get(frame.anchor!.fileId) },
      };
      return { ...same, drawnOn, usergroups: usergroups.map((id) => names[id]).sort() };
    }),
  );
}

/** The parts of a mission's snapshots that are equal on two servers: document, moment and picture. */
async function snapshotsOn(server: RecordingServer, { _id, sensors }: Mission) {
  const names = new Map(sensors.flatMap(({ assets }) => assets.map((asset) => [asset._id, asset.name])));
  const marks = (await server.ask('SA').get<SnapshotMark[]>(`/api/snapshots?missionIdOrName=${_id}`)).body;
  return Promise.all(
    marks.map(async ({ _id: id, title, sensor, time }) => {
      const { body } = await server.ask('SA').get<SnapshotMoment>(`/api/snapshots/${id}/moment`);
      const { mission: _mission, sensor: _sensor, ...moment } = body;
      const row = await server.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const { classification, marked, audience, tags, author, creation_time, geometry, file_name, sha256 } = row;
      const frame = await server.db
        .selectFrom('snapshots')
        .select(['file_id', 'run', 'pts'])
        .where('document_id', '=', id)
        .executeTakeFirstOrThrow();
      const groups = await server.db
        .selectFrom('document_usergroups')
        .selectAll()
        .where('document_id', '=', id)
        .execute();
      return {
        ...{ title, sensor, time, moment, frame: { ...frame, file_id: names.get(frame.file_id ?? '') } },
        ...{ classification, marked, audience, tags, author, creation_time, geometry, file_name, sha256 },
        usergroups: groups.map(({ usergroup_id }) => namesOf(server)[usergroup_id]),
        picture: (await server.ask('SA').get(`/api/documents/${id}/content`)).raw.toString('hex'),
      };
    }),
  );
}

describe('an archive on another server', () => {
  it('gives the same mission: fields, label, groups, files, times, area, telemetry and pictures', async () => {
    const { task, failures } = await imported(archive, 'SA', 3);

    expect(failures).toEqual([]);
    expect(task).toMatchObject({ state: 'done', title: 'kea.zip', error: null });
    const [report] = task.missions;
    expect(report).toMatchObject({
      name: 'Kea',
      securityClassification: 'CONFIDENTIAL',
      marked: true,
      usergroups: ['G1', 'G2'],
      usergroupsLeftOut: [],
      files: 2,
      notes: [],
    });
    const copy = (await there.ask('SA').get<Mission>(`/api/missions/${report!._id}`)).body;
    expect(comparable(copy, namesOf(there))).toEqual(comparable(original, namesOf(here)));
    for (const [index, sensor] of original.sensors.entries()) {
      const other = copy.sensors[index]!;
      const bytes = [
        await here.ask('SA').get(`/api/media/${sensor._id}/${sensor.assets[0]!._id}.ts`),
        await there.ask('SA').get(`/api/media/${other._id}/${other.assets[0]!._id}.ts`),
      ];
      expect(bytes[0]!.raw.equals(bytes[1]!.raw)).toBe(true);
      const timelines = await Promise.all([
        here.ask('SA').get<SensorTimeline>(`/api/sensors/timeline/${original._id}/${sensor._id}`),
        there.ask('SA').get<SensorTimeline>(`/api/sensors/timeline/${copy._id}/${other._id}`),
      ]);
      const [first, second] = timelines.map(({ body: { sensor: _sensor, runs, ...rest } }) => ({
        ...rest,
        runs: runs.map(({ fileId: _file, ...run }) => run),
      }));
      expect(second).toEqual(first);
      const areas = await Promise.all([
        here.ask('SA').get<{ geometry: unknown }>(`/api/missions/area/${original._id}`),
        there.ask('SA').get<{ geometry: unknown }>(`/api/missions/area/${copy._id}`),
      ]);
      expect(areas[1]!.body.geometry).toEqual(areas[0]!.body.geometry);
    }
    expect((await leftovers()).filter((key) => !key.startsWith('originals/'))).toEqual([]);
    const rows = await there.db.selectFrom('audit').selectAll().where('action', '=', 'mission.import').execute();
    expect(rows.map(({ item_id, item_label }) => [item_id, item_label])).toEqual([[report!._id, 3]]);
  });

  it('brings its bookmarks to the same frames, by authors of the same user names, else by none', async () => {
    const { task } = await imported(archive, 'SA');
    const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;

    const [before, after] = [await bookmarksOn(here, original), await bookmarksOn(there, copy)];
    expect(before.map(({ title, state }) => [title, state])).toEqual([
      ['Ferry', 'shown'],
      ['Wake', 'shown'],
      ['By somebody else', 'shown'],
    ]);
    expect(after).toEqual(
      before.map((one) => ({ ...one, author: one.author === 'nobody there' ? 'imported' : one.author })),
    );
    // The owner is the account; a stranger's bookmark has none.
    const owners = await there.db.selectFrom('bookmarks').select(['title', 'author_id']).orderBy('last_time').execute();
    expect(owners.map(({ author_id }) => author_id)).toEqual([there.userId('U1'), there.userId('GA'), null]);
  });

  it('brings its clips, cut from the same frames of each sensor', async () => {
    const { task } = await imported(archive, 'SA');
    const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;

    const [before, after] = [await clipsOn(here, original), await clipsOn(there, copy)];
    expect(before.map(({ title, cuts }) => [title, cuts.map(({ sensorName, state }) => [sensorName, state])])).toEqual([
      [
        'Both views',
        [
          ['Second', 'shown'],
          ['EO/IR', 'shown'],
        ],
      ],
      ['Landing', [['EO/IR', 'shown']]],
    ]);
    expect(after).toEqual(
      before.map((one) => (one.author === 'U1' ? one : { ...one, author: 'imported', editor: 'imported' })),
    );
    const owners = await there.db.selectFrom('clips').select(['title', 'author_id']).orderBy('title').execute();
    expect(owners.map(({ author_id }) => author_id)).toEqual([null, there.userId('U1')]);
  });

  it('brings its annotations whole, with their own labels and usergroups', async () => {
    const { task } = await imported(archive, 'SA');
    const id = task.missions[0]!._id!;

    const [before, after] = [await annotationsOn(here, original._id), await annotationsOn(there, id)];
    expect(
      before.map(({ title, securityClassification, usergroups }) => [title, securityClassification, usergroups]),
    ).toEqual([
      ['Anchorage', 'SECRET', ['G2']],
      ['Pier', 'CONFIDENTIAL', ['G1']],
    ]);
    expect(before[0]!.drawnOn).toMatchObject({ sensorId: 'EO/IR', state: 'shown' });
    expect(after).toEqual(before);
    const owners = await there.db.selectFrom('annotations').select(['title', 'author_id']).orderBy('title').execute();
    expect(owners.map(({ author_id }) => author_id)).toEqual([there.userId('SA'), there.userId('GA')]);
    const shapes = await there.db.selectFrom('annotation_shapes').select('annotation_id').execute();
    expect(shapes).toHaveLength(4);
  });

  it('brings its AIS files as they are', async () => {
    const path = join(folder, 'harbour.nmea');
    const timeUs = Date.UTC(2026, 5, 1, 9) * 1000;
    writeFileSync(path, `${reportOf({ mmsi: 211_000_001, latitude: 37.6, longitude: 24.3, timeUs })}\n`);
    await here.record({ name: 'Ships' }, [{ path }]);
    const bytes = (await here.ask('SA').post('/api/missions/export', { missions: ['Ships'] })).raw;

    const { task, failures } = await imported(bytes);

    expect(failures).toEqual([]);
    const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;
    const files = copy.sensors.flatMap(({ assets }) => assets);
    expect(files.map(({ name, kind }) => [name, kind])).toContainEqual(['harbour.nmea', 'ais']);
    const row = await there.db.selectFrom('files').selectAll().where('kind', '=', 'ais').executeTakeFirstOrThrow();
    expect(row.sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
  });

  it('brings its snapshots: document, picture, frame and telemetry', async () => {
    const { task } = await imported(archive, 'SA');
    const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;

    const [before, after] = [await snapshotsOn(here, original), await snapshotsOn(there, copy)];
    expect(before).toMatchObject([
      {
        ...{ title: 'Ferry at quay', author: 'U1', usergroups: ['G1'], frame: { file_id: 'kea.ts' } },
        moment: {
          shown: true,
          picture: 'server',
          overlaysSha256: expect.any(String),
          telemetry: { hex: expect.stringMatching(/^060e2b34/) },
        },
      },
    ]);
    expect(after).toEqual(before);
    const [mark] = (await there.ask('SA').get<SnapshotMark[]>(`/api/snapshots?missionIdOrName=${copy._id}`)).body;
    expect((await there.ask('SA').get(`/api/documents/${mark!._id}/content?overlays=true`)).status).toBe(200);
  });

  it('holds only what the exporting account may read, and has the label of the highest of it', async () => {
    const title = async (bytes: Buffer) => {
      const { task } = await imported(bytes, 'SA');
      return (await annotationsOn(there, task.missions[0]!._id!)).map((one) => one.title);
    };
    const relabel = async (rank: number) => {
      await here.db.updateTable('missions').set({ classification: rank }).where('id', '=', original._id).execute();
      await here.db.updateTable('annotations').set({ classification: rank }).where('title', '=', 'Pier').execute();
    };
    // Clearance of A2.
    await relabel(2);
    onTestFinished(() => relabel(3));
    const answers = [];
    for (const who of ['SA', 'A2'] as const) {
      answers.push(await here.ask(who).post('/api/missions/export', { missions: ['Kea'] }));
    }

    const names = answers.map(({ headers }) => String(headers['content-disposition']));
    expect(names.map((name) => /SECRET|CONFIDENTIAL|RESTRICTED/.exec(name)?.[0])).toEqual(['SECRET', 'RESTRICTED']);
    expect(await title(answers[0]!.raw)).toEqual(['Anchorage', 'Pier']);
    expect(await title(answers[1]!.raw)).toEqual(['Pier']);
  });

  it.skipIf(!existsSync('/usr/bin/ffmpeg'))(
    'gives the same mission of an MP4, whose stream is made there',
    async () => {
      const path = join(folder, 'DJI_0001.MP4');
      writeFileSync(path, containerFile('a.mp4', ['-i', join(folder, 'kea.ts'), '-map', '0:v', '-c', 'copy']));
      const { mission } = await here.record({ name: 'Drone' }, [{ path }]);
      const bytes = (await here.ask('SA').post('/api/missions/export', { missions: ['Drone'] })).raw;

      const { task, failures } = await imported(bytes);

      expect(failures).toEqual([]);
      const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;
      expect(comparable(copy, namesOf(there))).toEqual(comparable(mission, namesOf(here)));
      expect(copy.sensors[0]).toMatchObject({ state: 'Ready', assets: [{ kind: 'mp4' }] });
    },
  );

  it('leaves out and reports groups that are unknown there; with none left only the superAdmin sees it', {
    tags: 'long',
  }, async () => {
    await there.db.updateTable('usergroups').set({ name: 'Other' }).where('name', '=', 'G2').execute();
    const first = await imported(archive);
    await there.db.updateTable('usergroups').set({ name: 'Another' }).where('name', '=', 'G1').execute();
    const second = await imported(archive);
    await there.db.updateTable('usergroups').set({ name: 'G2' }).where('name', '=', 'Other').execute();
    await there.db.updateTable('usergroups').set({ name: 'G1' }).where('name', '=', 'Another').execute();

    expect(first.task.missions[0]).toMatchObject({ usergroups: ['G1'], usergroupsLeftOut: ['G2'] });
    expect(second.task.missions[0]).toMatchObject({ name: 'Kea_2', usergroups: [], usergroupsLeftOut: ['G1', 'G2'] });
    expect(second.task.missions[0]!.notes).toEqual(['The name Kea was taken.', 'It is shared with nobody.']);
    const id = second.task.missions[0]!._id;
    const copy = await there.ask('SA').get<Mission>(`/api/missions/${id}`);
    expect([copy.body.audience, copy.body.usergroups]).toEqual(['groups', []]);
    for (const who of ['A2', 'GA', 'U1', 'U2'] as const) {
      expect((await there.ask(who).get(`/api/missions/${id}`)).status, who).toBe(404);
    }
  });

  it('makes nothing above the clearance of the importing account, and says so', async () => {
    const { task } = await imported(archive, 'A2');

    expect(task.state).toBe('done');
    expect(task.missions[0]).toMatchObject({ _id: null, files: 0 });
    expect(task.missions[0]!.notes[0]).toMatch(/You may not add a mission with this label/);
    expect(await there.db.selectFrom('missions').select('id').execute()).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  it('is shared by a groupAdmin with the own groups alone, and not made where none of them is left', async () => {
    const own = await taken(archive, 'GA');
    await there.db.updateTable('usergroups').set({ name: 'Other' }).where('name', '=', 'G1').execute();
    const none = await taken(archive, 'GA');
    await there.db.updateTable('usergroups').set({ name: 'G1' }).where('name', '=', 'Other').execute();

    expect([own.state, none.state]).toEqual(['done', 'done']);
    const OVER_THEM = 'You may not add 1 of its annotations with their labels and usergroups.';
    expect(own.missions).toMatchObject([
      { name: 'Kea', files: 2, usergroups: ['G1'], usergroupsLeftOut: ['G2'], notes: [OVER_THEM] },
    ]);
    const copy = (await there.ask('GA').get<Mission>(`/api/missions/${own.missions[0]!._id}`)).body;
    expect([copy.audience, copy.usergroups]).toEqual(['groups', [there.groups.G1]]);
    expect(none.missions).toMatchObject([{ _id: null, files: 0, usergroups: [], usergroupsLeftOut: ['G1', 'G2'] }]);
    expect(none.missions[0]!.notes[0]).toMatch(/You may not add a mission with this label and these usergroups/);
    expect(await there.db.selectFrom('missions').select('id').execute()).toEqual([{ id: copy._id }]);
  });

  it('is for those who may add missions, and each import is its owner’s alone', async () => {
    for (const who of ['U1', 'guest'] as const) expect(await upload(there, who, archive), who).toBe('403');
    const id = await upload(there, 'SA', archive);

    expect((await there.ask('A2').get<ImportTask[]>('/api/imports')).body).toEqual([]);
    expect((await there.ask('A2').delete(`/api/imports/${id}`)).status).toBe(404);
    const others = await there.asUser('A2').inject({ method: 'HEAD', url: `/api/imports/${id}`, headers: tus });
    expect(others.statusCode).toBe(404);
    expect((await there.ask('SA').delete(`/api/imports/${id}`)).status).toBe(200);
    expect(await leftovers()).toEqual([]);
  });

  it('counts what archives under way will still bring', async () => {
    const { freeBytes, totalBytes } = await there.dependencies.storage.space();
    const size = Math.round((freeBytes - uploadReserve(totalBytes)) * 0.6);
    const begin = async () => {
      const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': 'filename a2VhLnppcA==' };
      const made = await there.asUser('SA').inject({ method: 'POST', url: '/api/imports', headers });
      return { status: made.statusCode, address: String(made.headers.location) };
    };

    const [first, second] = [await begin(), await begin()];
    const goesOn = await there.asUser('SA').inject({
      method: 'PATCH',
      url: first.address,
      headers: { ...tus, ...patchType, 'upload-offset': '0' },
      payload: Buffer.alloc(10),
    });

    await there.ask('SA').delete(first.address);
    expect([first.status, second.status, goesOn.statusCode]).toEqual([201, 507, 204]);
  });

  it('T-084 is refused before its first byte when the reserve of the disk would be touched', async () => {
    const space = vi.spyOn(there.dependencies.storage, 'space');
    onTestFinished(() => space.mockRestore());
    const full = { freeBytes: uploadReserve(1e12), totalBytes: 1e12 };
    space.mockResolvedValue(full);
    expect(await upload(there, 'SA', archive)).toBe('507');

    // The disk fills up between two requests of one upload.
    space.mockResolvedValueOnce({ ...full, freeBytes: 900e9 });
    const metadata = `filename ${Buffer.from('kea.zip').toString('base64')}`;
    const ours = { ...tus, 'upload-length': '10', 'upload-metadata': metadata };
    const made = await there.asUser('SA').inject({ method: 'POST', url: '/api/imports', headers: ours });
    const url = String(made.headers.location);
    const sent = await there
      .asUser('SA')
      .inject({ method: 'PATCH', url, headers: { ...tus, ...patchType, 'upload-offset': '0' }, payload: 'zipzipzip0' });

    expect([made.statusCode, sent.statusCode, sent.json().code]).toEqual([201, 507, 'diskFull']);
    const asked = await there.asUser('SA').inject({ method: 'HEAD', url, headers: tus });
    expect(asked.headers['upload-offset']).toBe('0');
    expect(await leftovers()).toEqual([]);
  });

  it('is refused when its recordings are more than its user may store', async () => {
    const id = await upload(there, 'SA', archive);
    const config = { ...there.dependencies.config, userQuotaBytes: flight.byteLength };
    await keepingDependencies({ ...there.dependencies, config }).tasks.settle();

    const task = (await there.ask('SA').get<ImportTask[]>('/api/imports')).body.find(({ _id }) => _id === id);
    expect([task?.state, task?.missions]).toEqual(['failed', []]);
    expect(task?.error).toContain('You may store');
    expect(await leftovers()).toEqual([]);
  });

  it('comes to the same end when its process died half-way', async () => {
    const id = await upload(there, 'SA', archive);
    await keepingDependencies(there.dependencies).tasks.settle();
    const bytes = archive;
    // As if the process had died after the first mission was made, before the task was updated.
    await there.dependencies.storage.put(`imports/${id}.zip`, [bytes]);
    const dead = { state: 'running', heartbeat: there.dependencies.nowUs() - 60_000_000, attempts: 1, result: null };
    await there.db.updateTable('tasks').set(dead).where('id', '=', id).execute();

    await keepingDependencies(there.dependencies).tasks.settle();

    expect(await there.db.selectFrom('missions').select('name').execute()).toEqual([{ name: 'Kea' }]);
    expect(await there.db.selectFrom('files').select('id').execute()).toHaveLength(2);
    const task = (await there.ask('SA').get<ImportTask[]>('/api/imports')).body[0];
    expect(task).toMatchObject({ state: 'done' });
  });
});

describe('an archive of foreign origin', () => {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  type Original = ArchiveManifest['missions'][number]['sensors'][number]['originals'][number];

  function forged(fields: { mission?: object; original?: Partial<Original> } = {}, file = flight) {
    const entry: Original = {
      path: '01-Kea/01-EO/01-kea.ts',
      sizeBytes: file.byteLength,
      sha256: sha(file),
      name: 'kea.ts',
      kind: 'ts',
      lastModified: null,
      created: 1,
      remark: null,
      timeOffset: 0,
      coordinatesExchanged: false,
      reading: null,
      ...fields.original,
    };
    const mission = {
      id: crypto.randomUUID(),
      name: 'Kea',
      description: '',
      label: 'UNCLASSIFIED',
      marked: true,
      audience: 'groups',
      usergroups: ['G1'],
      platform: { name: '-', type: 'Plane', presentation: { color: '#004dcf' } },
      rating: 0,
      countryCode: null,
      countryName: null,
      tags: [],
      sortOrder: 0,
      creationTime: 1,
      sensors: [
        { name: 'EO', description: '', type: 'video', timeShift: 0, originals: [entry], indexes: [], pictures: [] },
      ],
      ...fields.mission,
    };
    const manifest = {
      format: 'osprey-missions',
      version: 1,
      label: 'UNCLASSIFIED',
      created: '',
      server: '',
      missions: [mission],
    };
    return { manifest, entry, mission };
  }

  const zipped = (manifest: unknown, file = flight, path = '01-Kea/01-EO/01-kea.ts') =>
    zipOf([
      { name: path, data: file },
      { name: 'manifest.json', data: Buffer.from(JSON.stringify(manifest)) },
    ]);

  it('is kept at the highest label, unmarked and without an audience, when it names none, or one that is not known', async () => {
    for (const mission of [{ label: null }, { label: 'COSMIC' }, { marked: false }]) {
      await there.db.deleteFrom('missions').execute();
      const { task } = await imported(zipped(forged({ mission }).manifest));

      const copy = (await there.ask('SA').get<Mission>(`/api/missions/${task.missions[0]!._id}`)).body;
      expect([copy.securityClassification, copy.marked, copy.audience, copy.usergroups]).toEqual([
        'TOP SECRET',
        false,
        'groups',
        [],
      ]);
      expect(task.missions[0]!.usergroupsLeftOut).toEqual(['G1']);
    }
  });

  it('T-055 is refused whole, with a sentence, and leaves nothing', async () => {
    const { manifest, entry, mission } = forged();
    const text = Buffer.from('not a recording at all');
    const bookmarks = {
      kind: 'bookmarks',
      path: '01-Kea/bookmarks.json',
      sizeBytes: 2,
      sha256: sha(Buffer.from('[]')),
    };
    const sensors = (originals: Original[]) => [{ ...mission.sensors[0]!, originals }];
    const cases: [string, Buffer][] = [
      ['no manifest', zipOf([{ name: 'a.ts', data: flight }])],
      ['no JSON', zipOf([{ name: 'manifest.json', data: Buffer.from('{') }])],
      ['another format', zipped({ ...manifest, format: 'else' })],
      ['a newer version', zipped({ ...manifest, version: 3 })],
      ['marks that are missing', zipped(forged({ mission: { marks: [bookmarks] } }).manifest)],
      ['a missing file', zipped(forged({ original: { path: 'else.ts' } }).manifest)],
      ['another length', zipped(forged({ original: { sizeBytes: 1 } }).manifest)],
      ['another sum', zipped(forged({ original: { sha256: 'a'.repeat(64) } }).manifest)],
      ['another kind', zipped(forged({ original: { kind: 'sidecar' } }).manifest)],
      ['a recording as AIS', zipped(forged({ original: { kind: 'ais' } }).manifest)],
      ['no recording', zipped(forged({ original: { sizeBytes: text.byteLength, sha256: sha(text) } }).manifest, text)],
      ['a program', zipped(forged({ original: { name: 'kea.exe' } }).manifest)],
      ['a file named twice', zipped({ ...manifest, missions: [{ ...mission, sensors: sensors([entry, entry]) }] })],
      ['a name with a slash', zipped(forged({ mission: { name: '../x' } }).manifest)],
      ['a name that leads out', zipped(forged({ original: { path: '../x' } }).manifest, flight, '../x')],
      ['an absolute name', zipped(forged({ original: { path: '/x' } }).manifest, flight, '/x')],
    ];
    for (const [what, bytes] of cases) {
      await there.db.deleteFrom('tasks').execute();
      const { task } = await imported(bytes);

      expect([what, task.state, task.missions]).toEqual([what, 'failed', []]);
      expect(task.error, what).toMatch(/^(The archive was refused|This file cannot be used)/);
      expect(await leftovers(), what).toEqual([]);
    }
    expect(await there.db.selectFrom('missions').select('id').execute()).toEqual([]);
  });

  it('of a newer version is refused by a sentence that names both versions', async () => {
    const { task } = await imported(zipped({ ...forged().manifest, version: 3 }));

    expect(task.error).toBe(
      'The archive was refused: it is of version 3, and this server reads archives up to version 2.',
    );
  });

  it('may hold marks of kinds that are not known here, which the report names', async () => {
    const sketches = {
      kind: 'sketches',
      path: '01-Kea/sketches.json',
      sizeBytes: 2,
      sha256: sha(Buffer.from('[]')),
    };
    const { task } = await imported(zipped({ ...forged({ mission: { marks: [sketches] } }).manifest, version: 2 }));

    expect(task.missions[0]!.notes).toEqual(['This version of Osprey does not read its sketches.']);
  });

  const frame = { original: 'a.ts', run: 0, pts: 1 };
  const cut = { sensor: 'EO', in: frame, out: frame, inTime: 1, outTime: 2 };
  const clip = { title: 'a', cuts: [cut], created: 1, author: 'a', editor: 'a' };

  const annotation = {
    ...{ title: 'a', description: '', annotationType: 'GeoJson', tags: [], label: 'UNCLASSIFIED', marked: true },
    ...{ audience: 'everyone', usergroups: [], restricted: false, startTime: null, endTime: null },
    ...{ type: 'FeatureCollection', features: [pointAt(24, 37)], created: 1, author: 'a' },
  };

  it('gives annotations no less than the label of their mission, and no other audience', async () => {
    const marks = [
      annotation,
      { ...annotation, title: 'b', audience: 'groups', usergroups: ['G1', 'G2'] },
      { ...annotation, title: 'c', label: 'TOP SECRET', audience: 'groups' },
    ];
    const data = Buffer.from(JSON.stringify(marks));
    const file = { kind: 'annotations', path: 'annotations-1.json', sizeBytes: data.byteLength, sha256: sha(data) };
    const { manifest } = forged({ mission: { marks: [file], label: 'RESTRICTED' } });
    const { task } = await imported(
      zipOf([
        { name: '01-Kea/01-EO/01-kea.ts', data: flight },
        { name: file.path, data },
        { name: 'manifest.json', data: Buffer.from(JSON.stringify({ ...manifest, version: 2 })) },
      ]),
      'A2',
    );

    expect(task.missions[0]!.notes).toEqual(['You may not add 1 of its annotations with their labels and usergroups.']);
    const copies = await annotationsOn(there, task.missions[0]!._id!);
    expect(
      copies.map((one) => [one.title, one.securityClassification, one.audience, one.usergroups, one.author]),
    ).toEqual([
      ['a', 'RESTRICTED', 'groups', ['G1'], 'imported'],
      ['b', 'RESTRICTED', 'groups', ['G1'], 'imported'],
    ]);
  });

  const snapshot = {
    ...{
      title: 'a',
      label: 'UNCLASSIFIED',
      marked: true,
      audience: 'everyone',
      usergroups: [],
      created: 1,
      author: 'a',
    },
    file: { path: '01-Kea/01-EO/01-kea.ts', name: 'a.jpg', sizeBytes: 1, sha256: 'a'.repeat(64) },
    ...{ sensor: 'EO', frame: null, time: 1, picture: 'server', telemetry: null },
  };

  it.each([
    ['another checksum', { sha256: 'a'.repeat(64) }, 'a file has another checksum than its manifest says'],
    ['no picture', {}, 'a picture of its snapshots is not a JPEG'],
  ])('whose snapshot has %s is refused before a mission is made', async (_what, wrong, reason) => {
    const picture = {
      path: '01-Kea/01-EO/01-kea.ts',
      name: 'a.jpg',
      sizeBytes: flight.byteLength,
      sha256: sha(flight),
    };
    const data = Buffer.from(JSON.stringify([{ ...snapshot, file: { ...picture, ...wrong } }]));
    const file = { kind: 'snapshots', path: 'snapshots.json', sizeBytes: data.byteLength, sha256: sha(data) };
    const { manifest } = forged({ mission: { marks: [file] } });
    const { task } = await imported(
      zipOf([
        { name: '01-Kea/01-EO/01-kea.ts', data: flight },
        { name: file.path, data },
        { name: 'manifest.json', data: Buffer.from(JSON.stringify({ ...manifest, version: 2 })) },
      ]),
    );

    expect([task.state, task.error]).toEqual(['failed', `The archive was refused: ${reason}.`]);
    expect(await there.db.selectFrom('missions').select('id').execute()).toEqual([]);
  });

  it.each([
    ['snapshots', 'no list', {}],
    ['snapshots', 'without a picture', [{ ...snapshot, file: null }]],
    ['snapshots', 'of huge pictures', [{ ...snapshot, file: { ...snapshot.file, sizeBytes: 2 ** 40 } }]],
    ['snapshots', 'of telemetry that is none', [{ ...snapshot, telemetry: { time: 1, values: {}, hex: 'no' } }]],
    ['snapshots', 'with a field that is not known', [{ ...snapshot, storageKey: 'another' }]],
    ['annotations', 'no list', {}],
    ['annotations', 'without features', [{ ...annotation, features: [] }]],
    ['annotations', 'off the earth', [{ ...annotation, features: [pointAt(24, 137)] }]],
    ['annotations', 'before their start', [{ ...annotation, startTime: 2, endTime: 1 }]],
    ['annotations', 'with a field that is not known', [{ ...annotation, missionId: 'another' }]],
    ['bookmarks', 'no list', {}],
    ['bookmarks', 'without a title', [{ title: '' }]],
    ['bookmarks', 'with a field that is not known', [{ title: 'a', role: 'superAdmin' }]],
    ['clips', 'no list', {}],
    ['clips', 'without sensors', [{ ...clip, cuts: [] }]],
    ['clips', 'with a frame that is none', [{ ...clip, cuts: [{ ...cut, in: { ...frame, pts: 2 ** 60 } }] }]],
    ['clips', 'with a field that is not known', [{ ...clip, mission_id: 'another' }]],
    ['clips', 'too many', Array.from({ length: 2001 }, () => clip)],
  ])('with %s that are %s is refused whole', async (kind, _what, content) => {
    const data = Buffer.from(JSON.stringify(content));
    const file = { kind, path: `01-Kea/${kind}.json`, sizeBytes: data.byteLength, sha256: sha(data) };
    const { manifest } = forged({ mission: { marks: [file] } });
    const { task } = await imported(
      zipOf([
        { name: '01-Kea/01-EO/01-kea.ts', data: flight },
        { name: file.path, data },
        { name: 'manifest.json', data: Buffer.from(JSON.stringify({ ...manifest, version: 2 })) },
      ]),
    );

    expect(task).toMatchObject({ state: 'failed', missions: [] });
    expect(task.error).toBe(`The archive was refused: its ${kind} are not those of Osprey.`);
    expect(await there.db.selectFrom('missions').select('id').execute()).toEqual([]);
  });

  itWithData('T-055 and T-056: every hostile zip is refused before it fills the disk, and leaves nothing', async () => {
    for (const name of readdirSync(testData('bad/zip')).filter((one) => one.endsWith('.zip'))) {
      await there.db.deleteFrom('tasks').execute();
      const { task } = await imported(readFileSync(testData(`bad/zip/${name}`)));

      expect([name, task.state]).toEqual([name, 'failed']);
      expect(await leftovers(), name).toEqual([]);
    }
  });
});

it.each([
  ['snapshots', 0, /^Mission Kea has more than 0 snapshots/],
  ['annotations', 1, /^Mission Kea has more than 1 annotations/],
  ['files', 3, /^The archive would hold more than 3 files/],
])('an archive of more %s than an import takes is not begun', async (kind, max, text) => {
  const { id } = await here.db.selectFrom('users').select('id').where('username', '=', 'SA').executeTakeFirstOrThrow();
  const { actor } = (await actorsById(here.db, [id])).get(id)!;
  const { db, storage } = here.dependencies;
  const known = contentsOfProduct();
  const contents = known.map((one) =>
    one.archive?.name === kind ? { ...one, archive: { ...one.archive, max } } : one,
  );
  const missions = archivedMissions(db);
  const ids = [original._id];
  const refused = contentsOf({ storage, contents, missions }, actor, ids, kind === 'files' ? max : undefined);

  await expect(refused).rejects.toMatchObject({ code: 'ruleRefused', values: { reason: expect.stringMatching(text) } });
  await contentsOf({ storage, contents: known, missions }, actor, ids);
});

function contentsOfProduct() {
  const { storage } = here.dependencies;
  const damaged = () => undefined;
  const readers = { indexes: sensorIndexes({ storage, damaged }), telemetry: telemetryReader({ storage, damaged }) };
  return productContents({ ...here.dependencies, ...readers });
}
