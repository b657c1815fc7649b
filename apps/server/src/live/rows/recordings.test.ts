import { randomUUID } from 'node:crypto';
import { AppError, type KlvHealth, type LivePlatform, type Mission, type SensorTimeline } from '@osprey/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { join } from '../../../../../packages/mpegts/test/streams.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { pictures } from '../../../test/live-stream.ts';
import { livePlatform, liveViewer, ticketOf } from '../../../test/live-viewers.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { flightStream } from '../../../test/transport.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { composeApi } from '../../compose/api.ts';
import type { Overflow, RecordedFile, Recording } from '../../recorder-wire/protocol.ts';

const clock = { aheadUs: 0 };
const nowUs = () => Math.round(Date.now() * 1000 + clock.aheadUs);
const server = await recordingServer({ clock: { nowMs: () => performance.now(), nowUs } });
const recorder = await testRecorder(server.dataDir);
const address = await server.listen();
const { db, groups } = server;
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

/** A journal as the recorder writes it when a recording begins by itself. */
function journal(platform: { id: string; EO: string }, fields: Partial<Recording> = {}): Recording {
  return {
    missionId: randomUUID(),
    missionName: `m-${randomUUID()}`,
    ...{ description: '', tags: [], classification: 2, marked: true, audience: 'groups', usergroups: [groups.G1] },
    platform: { platformId: platform.id, name: 'KEA', type: 'Plane', color: '#22ccdd' },
    ...{ priority: 5, cause: 'presence', state: 'recording', startedUs: nowUs(), endedUs: null, stopReason: null },
    sensors: [
      {
        ...{ liveSensorId: platform.EO, sensorId: randomUUID(), name: 'EO', description: '', type: 'video' },
        ...{ state: 'recording', files: [], error: null },
      },
    ],
    ...fields,
  };
}

async function platform(shared: readonly (keyof typeof groups)[] = ['G1']) {
  const id = await addPlatform(db, { usergroups: shared.map((name) => groups[name]) });
  const { EO = '' } = await sensorsOf(db, id);
  recorder.source(id, EO);
  await expect.poll(() => server.coordination.mirror.source(EO)).not.toBeNull();
  return { id, EO };
}

const missionRow = (id: string) => db.selectFrom('missions').selectAll().where('id', '=', id).executeTakeFirst();
const stateOf = async (id: string) => (await missionRow(id))?.state;

describe('rows of a recording', () => {
  it("are made of its journal, once, and keep users' changes while it runs", async () => {
    const own = await platform();
    const recording = journal(own, { usergroups: [groups.G1, randomUUID()] });
    recorder.put(recording);
    await expect.poll(() => stateOf(recording.missionId)).toBe('Running');
    await db.updateTable('missions').set({ classification: 3 }).where('id', '=', recording.missionId).execute();

    recorder.file(recording.missionId, own.EO, { sizeBytes: 188, durationSeconds: 4, endedUs: nowUs() });
    recorder.end(recording.missionId, 'disk full');

    await expect.poll(() => recorder.settled).toContain(recording.missionId);
    const row = await missionRow(recording.missionId);
    expect(row).toMatchObject({
      ...{ state: 'Processing', classification: 3, author_id: null, platform_id: own.id, platform_name: 'KEA' },
      message: 'The recording ended by itself: disk full.',
    });
    const { body } = await askAs(server, 'U1').get<Mission>(`/api/missions/${recording.missionId}`);
    expect(body).toMatchObject({ usergroups: [groups.G1], sensors: [{ name: 'EO', assets: [{ sizeBytes: 188 }] }] });
    expect(body.recordingEndTime).toBeGreaterThanOrEqual(body.recordingStartTime ?? Number.NaN);
    const jobs = await db.selectFrom('jobs').select('kind').where('mission_id', '=', recording.missionId).execute();
    expect(jobs).toEqual([{ kind: 'ingest' }]);
  });

  it('T-082 T-088 are written once each when database and recorder are back, as the journals say', async () => {
    const own = await platform();
    const retained = journal(own);
    recorder.put(retained);
    await expect.poll(() => stateOf(retained.missionId)).toBe('Running');
    await recorder.die();
    await expect.poll(() => server.coordination.mirror.connected()).toBe(false);
    // This server cannot write missions meanwhile.
    await sql`alter table missions rename to missions_away`.execute(db);
    const during = journal(own, { classification: 4, usergroups: [groups.G2], state: 'stopped', endedUs: nowUs() });
    const sha256 = 'ab'.repeat(32);
    const file = { fileId: randomUUID(), startedUs: nowUs() - 5_000_000, endedUs: nowUs(), sizeBytes: 376, sha256 };
    const files = [
      { ...file, durationSeconds: 5, segments: 2, indexed: true, suspect: false, cause: 'start' as const },
    ];
    const stopped = during.sensors.map((sensor) => ({ ...sensor, state: 'stopped' as const, files }));
    recorder.recordings.set(during.missionId, { ...during, sensors: stopped });
    recorder.recordings.set(retained.missionId, { ...retained, missionName: 'never renamed' });
    await recorder.comeBack();
    await expect.poll(() => server.coordination.mirror.recordings().length).toBeGreaterThanOrEqual(2);
    expect(recorder.settled).not.toContain(during.missionId);

    await sql`alter table missions_away rename to missions`.execute(db);

    await expect.poll(() => recorder.settled).toContain(during.missionId);
    expect(await missionRow(during.missionId)).toMatchObject({ state: 'Processing', classification: 4 });
    const { body } = await askAs(server, 'U2').get<Mission>(`/api/missions/${during.missionId}`);
    expect(body).toMatchObject({ usergroups: [groups.G2], sensors: [{ assets: [{ _id: file.fileId, sha256 }] }] });
    expect((await missionRow(retained.missionId))?.name).toBe(retained.missionName);
    recorder.end(retained.missionId, 'stream ended');
    await expect.poll(() => stateOf(retained.missionId)).toBe('Stopped');
  });
});

describe('T-083 a recording during which the clock of the server is set', () => {
  const SECONDS = [4, 2, 3];

  /** Files begun at these seconds by the clock, without a clock in their stream, as they are when all is done. */
  async function played(startedSeconds: number[], suspect = false) {
    const T = nowUs() - 20_000e6;
    const recording = journal(await platform(), { startedUs: T });
    const sensor = recording.sensors[0]!;
    const files: RecordedFile[] = [];
    for (const [n, from] of startedSeconds.entries()) {
      const [fileId, durationSeconds] = [randomUUID(), SECONDS[n]!];
      const bytes = flightStream({ pictures: durationSeconds * 30, startTicks: 9_000_000 * (n + 1) });
      await server.dependencies.storage.put(originalKey(sensor.sensorId, fileId), [bytes]);
      // A file in which the clock is set back ends, by that, before it began: the recorder says the same time then.
      const to = startedSeconds[n + 1]! < from ? from : from + durationSeconds;
      files.push({
        ...{ fileId, startedUs: T + from * 1e6, endedUs: T + to * 1e6, durationSeconds, sizeBytes: bytes.length },
        ...{ segments: 1, indexed: false, suspect, cause: n === 0 ? 'start' : 'clock' },
      });
    }
    // Files of the tests before hold nothing.
    await db.deleteFrom('jobs').execute();
    recorder.put({
      ...{ ...recording, state: 'stopped', endedUs: files.at(-1)!.endedUs },
      sensors: [{ ...sensor, state: 'stopped', files }],
    });
    await expect.poll(() => recorder.settled).toContain(recording.missionId);
    expect(await server.work()).toEqual([]);

    const { get } = askAs(server, 'SA');
    const mission = (await get<Mission>(`/api/missions/${recording.missionId}`)).body;
    const timeline = await get<SensorTimeline>(`/api/sensors/timeline/${recording.missionId}/${sensor.sensorId}`);
    const list = (await get<string>(mission.sensors[0]!.hlsProps!.url)).body;
    return { mission, timeline: timeline.body, list, fileIds: files.map(({ fileId }) => fileId) };
  }

  it.each([
    ['50 minutes back, and once more', [0, -3000, -7000], 0],
    ['an hour ahead', [0, 3604, 3606], 3600],
    ['an hour ahead and back', [0, 3604, 6], 3600],
  ])('%s: it is played as it was recorded, with its lengths and a mark at each', async (_set, started, gapSeconds) => {
    const { mission, timeline, list, fileIds } = await played(started);

    expect(timeline.runs.map(({ fileId }) => fileId)).toEqual(fileIds);
    for (const [n, { durationSeconds }] of timeline.runs.entries()) {
      expect(Math.abs(durationSeconds - SECONDS[n]!)).toBeLessThan(0.04);
    }
    expect(list.match(/^#EXT-X-DISCONTINUITY$/gm)).toHaveLength(2);
    // Between them is only the hour by which the clock was set.
    const missing = timeline.gaps.reduce((sum, { start, end }) => sum + (end - start) / 1e6, 0);
    expect(Math.abs(missing - gapSeconds)).toBeLessThan(0.1);
    for (const { recordingStartTime, recordingEndTime } of [mission, mission.sensors[0]!]) {
      expect(Math.abs((recordingEndTime! - recordingStartTime!) / 1e6 - gapSeconds - 9)).toBeLessThan(0.1);
    }
    // Downloads are in their order too.
    const byName = mission.sensors[0]!.assets.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    expect(byName.map(({ _id }) => _id)).toEqual(fileIds);
    expect(new Set(byName.map(({ name }) => name)).size).toBe(3);
  });

  it('T-081 says for good of a file that the disk failed while it was written', async () => {
    const { mission } = await played([0], true);

    const failed = 'The disk failed while this was written: its last seconds cannot be relied on.';
    const [sensor] = mission.sensors;
    expect(sensor!.assets).toMatchObject([{ state: 'ready', message: failed }]);
    const path = `/api/sensors/klv-health/${mission._id}/${sensor!._id}`;
    const { findings } = (await askAs(server, 'SA').get<KlvHealth>(path)).body;
    expect(findings).toContainEqual({ severity: 'warning', text: `${sensor!.assets[0]!.name}: ${failed}` });
    // The finding stays when the file's message changes later.
    await db
      .updateTable('files')
      .set({ message: 'It cannot be converted.' })
      .where('sensor_id', '=', sensor!._id)
      .execute();
    const later = (await askAs(server, 'SA').get<Mission>(`/api/missions/${mission._id}`)).body;
    expect(later.sensors[0]!.assets[0]!.message).toBe(`${failed} It cannot be converted.`);
  });
});

describe('a mission that runs without a journal', () => {
  it('ends with the files on the disk, and reports it once', async () => {
    const own = await platform();
    const [lost, retained, empty] = [journal(own), journal(await platform()), journal(await platform())];
    for (const one of [lost, retained, empty]) {
      recorder.put(one);
      await expect.poll(() => stateOf(one.missionId)).toBe('Running');
    }
    const times = { startedUs: nowUs() - 4_000_000, endedUs: nowUs() };
    const ended = recorder.file(lost.missionId, own.EO, { sizeBytes: 188, durationSeconds: 4, ...times });
    const fileIds = async (sensorId: string) =>
      (await db.selectFrom('files').select('id').where('sensor_id', '=', sensorId).orderBy('start_time').execute()).map(
        ({ id }) => id,
      );
    const { sensorId } = lost.sensors[0]!;
    await expect.poll(() => fileIds(sensorId)).toEqual([ended.fileId]);
    // The open file of a killed recorder: one packet, and half of another.
    const open = randomUUID();
    const packet = Buffer.alloc(188, 0x47);
    await server.dependencies.storage.put(originalKey(sensorId, open), [packet, packet.subarray(0, 90)]);
    await recorder.die();
    for (const { missionId } of [lost, empty]) recorder.recordings.delete(missionId);

    await recorder.comeBack();

    await expect.poll(() => stateOf(lost.missionId)).toBe('Processing');
    await expect.poll(() => stateOf(empty.missionId)).toBe('Stopped');
    const reported = 'The recording ended by itself: its journal was lost, and what lay on the disk was kept.';
    expect(await missionRow(lost.missionId)).toMatchObject({ message: reported, end_time: expect.any(Number) });
    expect(await missionRow(empty.missionId)).toMatchObject({ message: reported });
    expect(await fileIds(sensorId)).toEqual([ended.fileId, open]);
    expect(await server.dependencies.storage.stat(originalKey(sensorId, open))).toMatchObject({ sizeBytes: 188 });
    const jobs = await db.selectFrom('jobs').select('kind').where('mission_id', '=', lost.missionId).execute();
    expect(jobs).toEqual([{ kind: 'ingest' }]);
    expect(await stateOf(retained.missionId)).toBe('Running');
    recorder.end(retained.missionId, 'stream ended');
  });
});

describe('what a recording does by itself', () => {
  const notesOf = (missionId: string) =>
    db
      .selectFrom('audit')
      .select(['action', 'result', 'reason', 'item_label', 'groups', 'actor_id'])
      .where('item_id', '=', missionId)
      .where('action', 'like', 'recording.%')
      .orderBy('seq')
      .execute();
  const file = (seconds: [number, number | null], cause: RecordedFile['cause']): RecordedFile => ({
    ...{ fileId: randomUUID(), startedUs: START_US + seconds[0] * 1e6, cause },
    endedUs: seconds[1] === null ? null : START_US + seconds[1] * 1e6,
    ...{ sizeBytes: 188, durationSeconds: 1, segments: 1, indexed: true, suspect: false },
  });
  const START_US = Date.UTC(2026, 0, 1) * 1000;
  const withFiles = (recording: Recording, files: RecordedFile[]): Recording => ({
    ...recording,
    sensors: recording.sensors.map((sensor) => ({ ...sensor, files })),
  });

  it('T-083 is in the audit once each, with the label and usergroups that the mission has then', async () => {
    const own = await platform();
    const recording = journal(own, { startedUs: START_US });
    const [first, restarted] = [file([0, 10], 'start'), file([13.5, 20], 'restart')];
    recorder.put(withFiles(recording, [first]));
    await expect.poll(() => notesOf(recording.missionId)).toHaveLength(1);
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', recording.missionId).execute();
    // The recorder is killed after it began a file that was never ended.
    await recorder.die();
    recorder.recordings.set(recording.missionId, withFiles(recording, [first, { ...restarted, endedUs: null }]));
    await recorder.comeBack();
    await expect.poll(() => notesOf(recording.missionId)).toHaveLength(2);

    const [jumped, became, away, failed] = [
      ...[file([20, 30], 'clock'), file([30.04, 40], 'stream')],
      ...[file([45, 50], 'stream'), file([49, 60], 'sync')],
    ];
    recorder.put(withFiles(recording, [first, restarted, jumped!, became!, away!, failed!]));
    recorder.end(recording.missionId, 'disk full');
    await expect.poll(() => recorder.settled).toContain(recording.missionId);

    const of = ({ fileId }: RecordedFile) => `sensor ${recording.sensors[0]!.sensorId} file ${fileId}`;
    const notes = await notesOf(recording.missionId);
    expect(notes.map(({ action, result, reason }) => [action, result, reason])).toEqual([
      ['recording.begin', null, 'Begun by presence at 2026-01-01T00:00:00.000Z.'],
      ['recording.gap', of(restarted), 'The recorder restarted. 3.5 s before 2026-01-01T00:00:13.500Z are missing.'],
      ['recording.clock', of(jumped!), 'A clock jumped by more than 2 s at 2026-01-01T00:00:20.000Z.'],
      ['recording.gap', of(away!), 'The stream was away. 5.0 s before 2026-01-01T00:00:45.000Z are missing.'],
      ['recording.gap', of(failed!), 'The disk failed. Some seconds before 2026-01-01T00:00:49.000Z are missing.'],
      ['recording.end', null, expect.stringMatching(/^Ended by itself at .*Z: disk full\.$/)],
    ]);
    expect(notes.map(({ item_label }) => item_label)).toEqual([2, 4, 4, 4, 4, 4]);
    for (const { groups: own, actor_id } of notes) expect([own, actor_id]).toEqual([[groups.G1], null]);
  });

  it('a disk that does not keep up has one row each time, over restarts, with the label of its platform', async () => {
    const recording = journal(await platform(), { cause: 'manual', startedUs: START_US });
    const { sensorId } = recording.sensors[0]!;
    const reported = (overflows: Overflow[]): Recording => ({
      ...recording,
      sensors: recording.sensors.map((sensor) => ({ ...sensor, overflows })),
    });
    const at = (from: number, to: number | null, packets: number): Overflow => ({
      startedUs: START_US + from * 1e6,
      endedUs: to === null ? null : START_US + to * 1e6,
      packets,
    });
    recorder.put(reported([at(5, null, 10)]));
    await expect.poll(() => stateOf(recording.missionId)).toBe('Running');
    recorder.put(reported([at(5, 7.5, 120)]));
    await expect.poll(() => notesOf(recording.missionId)).toHaveLength(1);
    await recorder.die();
    recorder.recordings.set(recording.missionId, reported([at(5, 7.5, 120), at(90, null, 7)]));
    await recorder.comeBack();
    recorder.put(reported([at(5, 7.5, 120), at(90, 91, 9)]));
    await expect.poll(() => notesOf(recording.missionId)).toHaveLength(2);
    recorder.end(recording.missionId, 'stream ended');
    await expect.poll(() => recorder.settled).toContain(recording.missionId);

    const notes = await notesOf(recording.missionId);
    expect(notes.slice(0, 2).map(({ action, result, reason }) => [action, result, reason])).toEqual([
      [
        'recording.gap',
        `sensor ${sensorId} overflow ${START_US + 5e6}`,
        'The disk did not keep up. 120 packets between 2026-01-01T00:00:05.000Z and 2026-01-01T00:00:07.500Z are missing.',
      ],
      [
        'recording.gap',
        `sensor ${sensorId} overflow ${START_US + 90e6}`,
        'The disk did not keep up. 9 packets between 2026-01-01T00:01:30.000Z and 2026-01-01T00:01:31.000Z are missing.',
      ],
    ]);
    expect(notes.map(({ action }) => action)).toEqual(['recording.gap', 'recording.gap', 'recording.end']);
    for (const { groups: own, item_label } of notes) expect([own, item_label]).toEqual([[groups.G1], 2]);
  });

  it('is there once if its rows could not be committed, and before them', async () => {
    const recording = journal(await platform(), { cause: 'schedule' });
    await sql`create function refuse_late() returns trigger language plpgsql as
      $$ begin raise exception 'no mission is kept'; end $$`.execute(db);
    await sql`create constraint trigger refuse_late after insert on missions deferrable initially deferred
      for each row execute function refuse_late()`.execute(db);
    recorder.put(recording);
    await expect.poll(() => notesOf(recording.missionId)).toHaveLength(1);
    expect(await missionRow(recording.missionId)).toBeUndefined();

    await sql`drop trigger refuse_late on missions`.execute(db);
    await expect.poll(() => stateOf(recording.missionId)).toBe('Running');
    recorder.end(recording.missionId, 'schedule');

    await expect.poll(() => recorder.settled).toContain(recording.missionId);
    const actions = (await notesOf(recording.missionId)).map(({ action }) => action);
    expect(actions).toEqual(['recording.begin', 'recording.end']);
  });

  it('is no mission that a user began and ended, and no change of a stream without a gap', async () => {
    const recording = journal(await platform(), { cause: 'manual' });
    recorder.put(withFiles(recording, [file([0, 10], 'start'), file([10.04, 20], 'stream')]));
    await expect.poll(() => stateOf(recording.missionId)).toBe('Running');

    const mission = recorder.recordings.get(recording.missionId)!;
    recorder.put({
      ...{ ...mission, state: 'stopped', endedUs: nowUs() },
      sensors: mission.sensors.map((sensor) => ({ ...sensor, state: 'stopped' })),
    });

    await expect.poll(() => recorder.settled).toContain(recording.missionId);
    expect(await notesOf(recording.missionId)).toEqual([]);
  });
});

it('a clock of the server that is set by an hour and back has two rows of the audit', async () => {
  const rows = async () => {
    const found = db.selectFrom('audit').select('reason').where('action', '=', 'server.clock').orderBy('seq');
    return (await found.execute()).map(({ reason }) => reason);
  };

  clock.aheadUs = 3600e6;
  await expect.poll(rows).toHaveLength(1);
  clock.aheadUs = 0;

  await expect.poll(rows).toHaveLength(2);
  expect(await rows()).toEqual([
    'The clock of the server was set ahead by 3600 s.',
    'The clock of the server was set back by 3600 s.',
  ]);
});

/** Rows of missions can be read and none be written, until it is let go. */
async function heldMissions(): Promise<{ letGo: () => Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const lock = db.transaction().execute(async (tx) => {
    await sql`lock table missions in exclusive mode`.execute(tx);
    holding.resolve();
    await held.promise;
  });
  await holding.promise;
  return {
    letGo() {
      held.resolve();
      return lock;
    },
  };
}

it('a mission without a journal ends too where the recorder comes back while rows of another are written', async () => {
  const [lost, other] = [journal(await platform()), journal(await platform())];
  recorder.put(lost);
  await expect.poll(() => stateOf(lost.missionId)).toBe('Running');
  const { letGo } = await heldMissions();
  recorder.put(other);
  await recorder.die();
  recorder.recordings.delete(lost.missionId);

  await recorder.comeBack();
  const existing = () => server.coordination.mirror.recordings().map(({ missionId }) => missionId);
  await expect.poll(existing).not.toContain(lost.missionId);
  await letGo();

  await expect.poll(() => stateOf(lost.missionId)).toBe('Stopped');
  expect(await stateOf(other.missionId)).toBe('Running');
  recorder.end(other.missionId, 'stream ended');
});

describe('T-119 a platform of two groups recorded for one of them', () => {
  const rowOf = async (by: Subject, id: string) =>
    (await askAs(server, by).get<LivePlatform[]>('/api/platforms')).body.find(({ _id }) => _id === id);

  it('is a row with its state, and no live view, to the others while it lasts', async () => {
    const { id, EO } = await platform(['G1', 'G2']);
    recorder.source(id, EO, { lost: 2, reordered: 3, refused: 4, jitterMs: 1.5 });
    const modes = { live_modes: ['Preview'] };
    await db.updateTable('usergroups').set(modes).where('id', 'in', [groups.G1, groups.G2]).execute();
    const watch = async (by: Subject) =>
      liveViewer(address, { ticket: await ticketOf(server, by), sensor: EO, video: true });
    const stream = pictures(60);
    /** Some more of the stream; viewers get no other message meanwhile. */
    const fly = () => recorder.media(EO, join(stream.splice(0, 10)));
    const early = await watch('U2');
    await expect.poll(() => server.reads.size()).toBe(1);
    await expect.poll(() => recorder.watchers(EO)).toBe(1);
    fly();
    await expect.poll(() => early.media.length).toBeGreaterThan(1);
    await expect.poll(() => rowOf('U2', id)).toMatchObject({ sensors: [{ lostPackets: 2, jitter: 1.5 }] });
    const before = await rowOf('U2', id);

    const started = await askAs(server, 'SA').post<{ mission: { _id: string } }>(
      '/api/platforms/control?command=start',
      { platformName: id, record: true, usergroups: [groups.G1], securityClassification: 3 },
    );
    const startedMs = performance.now();
    await early.closed;
    const closedAfterMs = performance.now() - startedMs;
    const late = await watch('U2');
    const playlist = await askAs(server, 'U2').get(`/api/live/${EO}/index.m3u8`);
    const member = await watch('U1');
    await expect.poll(() => server.reads.size()).toBe(1);
    await expect.poll(() => recorder.watchers(EO)).toBe(1);
    fly();
    await expect.poll(() => member.media.length).toBeGreaterThan(1);

    expect(closedAfterMs).toBeLessThan(1000);
    await late.closed;
    expect(late.of('end')).toEqual([{ kind: 'end', code: 'notFound', text: new AppError('notFound').message }]);
    expect([late.messages.length, late.media]).toEqual([1, []]);
    expect(playlist.status).toBe(404);
    expect(await rowOf('U2', id)).toMatchObject({
      ...{ state: 'online', live: false, mission: null, missionName: null, recordingStartTime: null, sizeBytes: null },
      sensors: [
        {
          ...{ state: 'online', live: false, mission: null, video: null, bitrate: null, startTime: null },
          ...{ lostPackets: null, reorderedPackets: null, refusedPackets: null, jitter: null },
        },
      ],
    });
    expect(await rowOf('U1', id)).toMatchObject({
      ...{ live: true, mission: started.body.mission._id },
      sensors: [{ lostPackets: 2, reorderedPackets: 3, refusedPackets: 4, jitter: 1.5 }],
    });
    const again = await askAs(server, 'A2').post<{ code: string }>('/api/platforms/control?command=start', {
      ...{ platformName: id, record: true },
    });
    expect(again.body.code).toBe('ruleRefused');

    await askAs(server, 'SA').post('/api/platforms/control?command=stop', { platformName: id });
    await expect.poll(async () => (await rowOf('U1', id))?.live).toBe(false);
    await expect.poll(() => rowOf('U2', id)).toEqual(before);
    const after = await watch('U2');
    await expect.poll(() => server.reads.size()).toBe(2);
    fly();
    await expect.poll(() => after.media.length).toBeGreaterThan(1);
    member.socket.close();
    after.socket.close();
  });

  it('goes on for viewers until the rights of its mission are known, and asks others meanwhile to try again', async () => {
    const { id, EO } = await platform(['G1', 'G2']);
    const watch = async (by: Subject) =>
      liveViewer(address, { ticket: await ticketOf(server, by), sensor: EO, video: false });
    const [member, other] = [await watch('U1'), await watch('U2')];
    await expect.poll(() => server.reads.size()).toBe(2);
    const part = { offset: 0, sizeBytes: 188, durationSeconds: 2, independent: true };
    recorder.say({
      kind: 'ring',
      segment: {
        ...{ sensorId: EO, n: 1, startUs: nowUs(), firstPtsTicks: 0, durationSeconds: 2, sizeBytes: 188 },
        ...{ discontinuity: false, breaks: 0, done: true, parts: [part] },
      },
    });
    const playlist = (by: Subject) => askAs(server, by).get<{ code: string }>(`/api/live/${EO}/index.m3u8?mode=ll`);
    const recording = journal({ id, EO }, { usergroups: [groups.G1] });
    const { letGo } = await heldMissions();

    recorder.put(recording);
    await expect.poll(() => server.coordination.mirror.recordedAs(EO)).not.toBeNull();
    const early = await playlist('U1');
    const late = await watch('U1');
    await late.closed;
    expect([member.socket.readyState, other.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    await letGo();
    await other.closed;

    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([503, 'liveStarting', '1']);
    expect(late.of('end')).toMatchObject([{ text: 'This stream is just starting. Please try again in a moment.' }]);
    expect((await playlist('U1')).status).toBe(200);
    expect((await playlist('U2')).status).toBe(404);
    expect([member.socket.readyState, server.reads.size()]).toEqual([WebSocket.OPEN, 1]);
    member.socket.close();
    await expect.poll(() => server.reads.size()).toBe(0);
    recorder.end(recording.missionId, 'stream ended');
  });

  it('has no viewers while its rows cannot be written', async () => {
    const { id, EO } = await platform(['G1']);
    const member = await liveViewer(address, { ticket: await ticketOf(server, 'U1'), sensor: EO, video: false });
    await expect.poll(() => server.reads.size()).toBe(1);
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no mission is made'; end $$`.execute(db);
    await sql`create trigger refuse before insert on missions for each row execute function refuse()`.execute(db);

    const recording = journal({ id, EO });
    recorder.put(recording);
    await member.closed;
    expect(server.reads.size()).toBe(0);

    await sql`drop trigger refuse on missions`.execute(db);
    await expect.poll(() => stateOf(recording.missionId)).toBe('Running');
    recorder.end(recording.missionId, 'stream ended');
  });

  it('T-032 ends the live view within a second when its viewer leaves the group, or the platform does', async () => {
    const { sensorId, platformId } = await livePlatform(server);
    const open = async () => {
      const viewer = await liveViewer(address, {
        ticket: await ticketOf(server, 'U1'),
        sensor: sensorId,
        video: false,
      });
      await expect.poll(() => server.reads.size()).toBe(1);
      return viewer;
    };
    const closedAfter = async (viewer: Awaited<ReturnType<typeof open>>, change: () => Promise<unknown>) => {
      await change();
      const committedMs = performance.now();
      await viewer.closed;
      return performance.now() - committedMs;
    };
    const [user, group] = [server.userId('U1'), groups.G1];
    const leave = () =>
      db.deleteFrom('user_usergroups').where('user_id', '=', user).where('usergroup_id', '=', group).execute();

    expect(await closedAfter(await open(), leave)).toBeLessThan(1000);
    await db.insertInto('user_usergroups').values({ user_id: user, usergroup_id: group }).execute();
    const narrow = () => db.deleteFrom('platform_usergroups').where('platform_id', '=', platformId).execute();
    expect(await closedAfter(await open(), narrow)).toBeLessThan(1000);
  });
});

it('a restart of the api writes nothing of a recording into the audit again', async () => {
  const { missionId, ...rest } = journal(await platform());
  const before = { fileId: randomUUID(), startedUs: nowUs() - 9e6, endedUs: nowUs() - 8e6, sizeBytes: 188 };
  const after = { fileId: randomUUID(), startedUs: nowUs() - 2e6, endedUs: null, sizeBytes: 188 };
  const more = { durationSeconds: 1, segments: 1, indexed: true, suspect: false };
  const files: RecordedFile[] = [
    { ...before, ...more, cause: 'start' },
    { ...after, ...more, cause: 'restart' },
  ];
  recorder.put({ missionId, ...rest, sensors: rest.sensors.map((sensor) => ({ ...sensor, files })) });
  const actions = async () => {
    const found = db.selectFrom('audit').select('action').where('item_id', '=', missionId).orderBy('seq');
    return (await found.execute()).map(({ action }) => action);
  };
  await expect.poll(actions).toEqual(['recording.begin', 'recording.gap']);

  await server.close();
  const again = await composeApi({
    ...{ config: server.dependencies.config, databaseUrl: server.databaseUrl, log: pino({ level: 'silent' }) },
    ...{ setupCode: null, tls: null },
  });
  atEnd(() => again.close());
  recorder.end(missionId, 'stream ended');

  await expect.poll(() => recorder.settled).toContain(missionId);
  expect(await actions()).toEqual(['recording.begin', 'recording.gap', 'recording.end']);
});
