import { randomUUID } from 'node:crypto';
import type { LivePlatform, Mission } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { livePlatform, liveViewer, ticketOf } from '../../../test/live-viewers.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { originalKey } from '../../storage/originals.ts';
import type { Recording } from '../protocol.ts';

const server = await recordingServer();
const recorder = await testRecorder(server.dataDir);
const address = await server.listen();
const { db, groups } = server;
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

const nowUs = () => Date.now() * 1000;

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
  it('are made of its journal, once, and keep what somebody changes while it runs', async () => {
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
    const kept = journal(own);
    recorder.put(kept);
    await expect.poll(() => stateOf(kept.missionId)).toBe('Running');
    await recorder.die();
    await expect.poll(() => server.coordination.mirror.connected()).toBe(false);
    // Nobody of this server writes a mission meanwhile.
    await sql`alter table missions rename to missions_away`.execute(db);
    const during = journal(own, { classification: 4, usergroups: [groups.G2], state: 'stopped', endedUs: nowUs() });
    const file = { fileId: randomUUID(), startedUs: nowUs() - 5_000_000, endedUs: nowUs(), sizeBytes: 376 };
    const files = [
      { ...file, durationSeconds: 5, segments: 2, indexed: true, suspect: false, cause: 'start' as const },
    ];
    const stopped = during.sensors.map((sensor) => ({ ...sensor, state: 'stopped' as const, files }));
    recorder.recordings.set(during.missionId, { ...during, sensors: stopped });
    recorder.recordings.set(kept.missionId, { ...kept, missionName: 'never renamed' });
    await recorder.comeBack();
    await expect.poll(() => server.coordination.mirror.recordings().length).toBeGreaterThanOrEqual(2);
    expect(recorder.settled).not.toContain(during.missionId);

    await sql`alter table missions_away rename to missions`.execute(db);

    await expect.poll(() => recorder.settled).toContain(during.missionId);
    expect(await missionRow(during.missionId)).toMatchObject({ state: 'Processing', classification: 4 });
    const { body } = await askAs(server, 'U2').get<Mission>(`/api/missions/${during.missionId}`);
    expect(body).toMatchObject({ usergroups: [groups.G2], sensors: [{ assets: [{ _id: file.fileId }] }] });
    expect((await missionRow(kept.missionId))?.name).toBe(kept.missionName);
    recorder.end(kept.missionId, 'stream ended');
    await expect.poll(() => stateOf(kept.missionId)).toBe('Stopped');
  });
});

describe('a mission that runs without a journal', () => {
  it('ends with what lies on the disk, says so, and nobody else does', async () => {
    const own = await platform();
    const [lost, kept, empty] = [journal(own), journal(await platform()), journal(await platform())];
    for (const one of [lost, kept, empty]) {
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
    // What the recorder had open when it was killed: one packet, and half of another.
    const open = randomUUID();
    const packet = Buffer.alloc(188, 0x47);
    await server.parts.storage.put(originalKey(sensorId, open), [packet, packet.subarray(0, 90)]);
    await recorder.die();
    for (const { missionId } of [lost, empty]) recorder.recordings.delete(missionId);

    await recorder.comeBack();

    await expect.poll(() => stateOf(lost.missionId)).toBe('Processing');
    await expect.poll(() => stateOf(empty.missionId)).toBe('Stopped');
    const told = 'The recording ended by itself: its journal was lost, and what lay on the disk was kept.';
    expect(await missionRow(lost.missionId)).toMatchObject({ message: told, end_time: expect.any(Number) });
    expect(await missionRow(empty.missionId)).toMatchObject({ message: told });
    expect(await fileIds(sensorId)).toEqual([ended.fileId, open]);
    expect(await server.parts.storage.stat(originalKey(sensorId, open))).toMatchObject({ sizeBytes: 188 });
    const jobs = await db.selectFrom('jobs').select('kind').where('mission_id', '=', lost.missionId).execute();
    expect(jobs).toEqual([{ kind: 'ingest' }]);
    expect(await stateOf(kept.missionId)).toBe('Running');
    recorder.end(kept.missionId, 'stream ended');
  });
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
  const known = () => server.coordination.mirror.recordings().map(({ missionId }) => missionId);
  await expect.poll(known).not.toContain(lost.missionId);
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
    const watch = async (by: Subject) =>
      liveViewer(address, { ticket: await ticketOf(server, by), sensor: EO, video: false });
    const early = await watch('U2');
    await expect.poll(() => server.reads.size()).toBe(1);

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

    expect(closedAfterMs).toBeLessThan(1000);
    await late.closed;
    expect(late.of('end').length).toBe(1);
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
    const after = await watch('U2');
    await expect.poll(() => server.reads.size()).toBe(2);
    member.socket.close();
    after.socket.close();
  });

  it('goes on for who watches until its mission says whom it is for, and tells others meanwhile to ask again', async () => {
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
    expect(late.of('end')).toMatchObject([{ text: 'This stream is just beginning. Please try again in a moment.' }]);
    expect((await playlist('U1')).status).toBe(200);
    expect((await playlist('U2')).status).toBe(404);
    expect([member.socket.readyState, server.reads.size()]).toEqual([WebSocket.OPEN, 1]);
    member.socket.close();
    await expect.poll(() => server.reads.size()).toBe(0);
    recorder.end(recording.missionId, 'stream ended');
  });

  it('is watched by nobody while its rows cannot be written', async () => {
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
