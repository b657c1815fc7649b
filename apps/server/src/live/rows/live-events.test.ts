import type { LivePosition, RecorderEvent, StreamMonitor } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { sql } from 'kysely';
import { io, type Socket } from 'socket.io-client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { waitingForLock } from '../../../test/database.ts';
import { addMission } from '../../../test/missions.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

const server = await testServer();
const address = await server.listen();
const recorder = await testRecorder(server.dataDir);
const { db, groups } = server;
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

/** An open page of an account, with the live events that it got. */
async function page(by: Subject, channel: string | null | undefined = undefined) {
  const { body } = await askAs(server, by).post<{ ticket: string }>('/api/tickets');
  const socket = io(address, {
    ...{ transports: ['websocket'], forceNew: true, reconnection: false },
    auth: { ticket: body.ticket },
  });
  open.push(socket);
  const received: { name: string; payload: unknown }[] = [];
  socket.onAny((name: string, payload: unknown) => received.push({ name, payload }));
  await new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(null));
    socket.once('connect_error', reject);
  });
  const wish = (command: string) =>
    socket.emitWithAck('LiveStreamEvents', { command, ...(channel ? { channel } : {}) });
  if (channel !== null) await wish('subscribe');
  const of = <T>(name: string) => received.filter((event) => event.name === name).map(({ payload }) => payload as T);
  return {
    wish,
    monitor: (platform: string) => of<StreamMonitor>('streamMonitor').filter((event) => event.platform === platform),
    recorder: () => of<RecorderEvent>('recorder'),
    positions: (platform: string) => of<LivePosition>('livePosition').filter((event) => event.platform === platform),
    revoked: () => of<{ noun: string; ids: string[] }>('revoked'),
  };
}

async function platformOf(shared: readonly (keyof typeof groups)[], fields: Parameters<typeof addPlatform>[1] = {}) {
  const id = await addPlatform(db, { usergroups: shared.map((name) => groups[name]), ...fields });
  const { EO = '' } = await sensorsOf(db, id);
  return { id, EO };
}

/** Sends an event as a marker: all events before it have arrived when it does. */
async function notifyMark(marker: { id: string; EO: string }, pages: Awaited<ReturnType<typeof page>>[]) {
  const since = Math.floor(Math.random() * 1e15);
  recorder.source(marker.id, marker.EO, { state: 'lost', since: since - 1 });
  recorder.source(marker.id, marker.EO, { state: 'online', since });
  for (const one of pages) {
    await expect
      .poll(() => one.monitor(marker.id).some((event) => 'since' in event && event.since === since))
      .toBe(true);
  }
}

const POSITION = {
  2: 1_700_000_000_000_000,
  ...{ 5: 90, 6: 0, 7: 0, 13: 52.5, 14: 13.25, 15: 1000 },
  ...{
    23: 52.51,
    24: 13.26,
    26: 0.001,
    27: -0.001,
    28: 0.001,
    29: 0.001,
    30: -0.001,
    31: 0.001,
    32: -0.001,
    33: -0.001,
  },
};

describe('events of live streams', () => {
  it('T-074 come to pages that asked for them and may see the platform alone', async () => {
    const shared = await platformOf(['G1']);
    const marker = await platformOf(['Demo']);
    const [member, stranger, silent] = [await page('U1'), await page('U0', shared.id), await page('A2', null)];

    recorder.source(shared.id, shared.EO);
    await notifyMark(marker, [member]);

    expect(member.monitor(shared.id)).toMatchObject([
      { topic: 'state', sensor: shared.EO, state: 'online' },
      { topic: 'state', sensor: null, state: 'online' },
      { topic: 'detection', sensor: shared.EO, video: { codec: 'h264', width: 1280 }, klv: true },
    ]);
    expect([stranger.monitor(shared.id), stranger.monitor(marker.id)]).toEqual([[], []]);
    expect([silent.monitor(shared.id), silent.monitor(marker.id)]).toEqual([[], []]);
  });

  it('stop when a page says so, and may be asked for one platform alone', async () => {
    const [one, other] = [await platformOf(['Demo']), await platformOf(['Demo'])];
    const [narrow, left, all] = [await page('U1', one.id), await page('U1'), await page('U1')];
    await left.wish('unsubscribe');

    recorder.source(other.id, other.EO);
    recorder.source(one.id, one.EO);
    await notifyMark(one, [narrow, all]);

    expect(narrow.monitor(other.id)).toEqual([]);
    expect(all.monitor(other.id)).not.toEqual([]);
    expect(left.monitor(one.id)).toEqual([]);
  });

  it('report switches and commands only to those who may control, and errors of the recorder without being asked', async () => {
    const own = await platformOf(['G1']);
    const marker = await platformOf(['Demo']);
    recorder.source(own.id, own.EO, { on: false, state: 'offline' });
    const [groupAdmin, user, silent] = [await page('GA'), await page('U1'), await page('GA', null)];

    recorder.source(own.id, own.EO, { on: true });
    await askAs(server, 'SA').post('/api/platforms/control?command=start', { platformName: own.id });
    recorder.say({ kind: 'error', info: 'disk full', platformId: own.id, missionId: null });
    recorder.say({ kind: 'error', info: 'for admins', platformId: null, missionId: null });
    await notifyMark(marker, [groupAdmin, user]);

    expect(groupAdmin.monitor(own.id).map(({ topic }) => topic)).toContain('config');
    expect(groupAdmin.recorder().map(({ topic, info }) => [topic, info])).toEqual([
      ['command', expect.stringMatching(/^Platform .* started\.$/)],
      ['error', 'disk full'],
    ]);
    expect(silent.recorder().map(({ info }) => info)).toEqual(['disk full']);
    expect(user.monitor(own.id).map(({ topic }) => topic)).not.toContain('config');
    expect(user.recorder()).toEqual([]);
    const health = await askAs(server, 'SA').get<{ checks: { name: string; text: string }[] }>('/api/health');
    expect(health.body.checks).toContainEqual({
      ...{ name: 'recorder', state: 'warning', text: 'Recorder error: for admins.' },
    });
  });

  it('report what is recorded and of which mission, from its beginning to its end, to those who may control', async () => {
    const { id, EO } = await platformOf(['G1']);
    recorder.source(id, EO);
    await expect.poll(() => server.coordination.mirror.source(EO)).not.toBeNull();
    const [groupAdmin, user] = [await page('GA'), await page('U1')];
    const reported = () =>
      new Set(
        groupAdmin
          .recorder()
          .filter(({ platform }) => platform === id)
          .map(({ topic }) => topic),
      );
    const control = (command: string, body: object) =>
      askAs(server, 'SA').post(`/api/platforms/control?command=${command}`, { platformName: id, ...body });

    const fields = { record: true, missionName: 'Watched', usergroups: [groups.G1], securityClassification: 1 };
    expect((await control('start', fields)).status).toBe(200);
    await expect.poll(reported).toEqual(new Set(['command', 'state']));
    expect((await control('stop', { stopMission: true })).status).toBe(200);
    await expect.poll(reported).toEqual(new Set(['command', 'state', 'mission_update']));
    expect(groupAdmin.recorder().find(({ topic }) => topic === 'mission_update')).toMatchObject({
      ...{ info: 'Mission Watched was recorded.', mission: expect.any(String) },
    });

    expect(user.recorder()).toEqual([]);
  });

  it('report that a recording has begun by itself, however long its rows take', async () => {
    const { id, EO } = await platformOf(['G1']);
    const groupAdmin = await page('GA', id);
    const reported = () => groupAdmin.recorder().map(({ topic, info }) => [topic, info]);
    const running: Recording = {
      ...{ missionId: crypto.randomUUID(), missionName: 'Slow rows', description: '', tags: [], classification: 1 },
      ...{ marked: true, audience: 'groups', usergroups: [groups.G1], priority: 1, cause: 'presence' },
      ...{ state: 'recording', startedUs: Date.now() * 1000, endedUs: null, stopReason: null },
      platform: { platformId: id, name: 'Alpha', type: 'Plane', color: '#004dcf' },
      sensors: [
        {
          ...{ liveSensorId: EO, sensorId: crypto.randomUUID(), name: 'EO', description: '', type: 'video' },
          ...{ state: 'recording', error: null, files: [] },
        },
      ],
    };

    await db.transaction().execute(async (tx) => {
      // Missions can be read and not be written.
      await sql`lock table missions in exclusive mode`.execute(tx);
      recorder.put(running);
      await expect.poll(() => waitingForLock(db)).toBe(1);
      expect(reported()).toEqual([]);
    });

    await expect.poll(reported).toEqual([
      ['mission_update', 'Mission Slow rows is being recorded.'],
      ['state', '1 sensor of Alpha is recorded into Slow rows.'],
    ]);
  });

  it('report where a platform is at most four times a second', async () => {
    const { id, EO } = await platformOf(['Demo']);
    recorder.source(id, EO);
    await expect.poll(() => server.coordination.mirror.source(EO)).not.toBeNull();
    const packet = encodeSt0601(POSITION);
    const viewer = await page('U0', id);

    const started = performance.now();
    recorder.klv(EO, Uint8Array.of(6, 14, 43, 52, 2));
    const sender = setInterval(() => recorder.klv(EO, packet), 10);
    await expect.poll(() => viewer.positions(id).length).toBeGreaterThanOrEqual(4);
    clearInterval(sender);
    const seconds = (performance.now() - started) / 1000;

    expect(viewer.positions(id).length).toBeLessThanOrEqual(1 + 4 * seconds);
    const [first] = viewer.positions(id);
    expect(first).toMatchObject({ platform: id, sensor: EO, time: POSITION[2] });
    expect(first?.lat).toBeCloseTo(52.5, 5);
    expect(first?.heading).toBeCloseTo(90, 1);
    expect(first?.frameCenter?.[1]).toBeCloseTo(13.26, 5);
    expect(first?.footprint?.[0]?.[0]).toBeCloseTo(52.511, 3);
  });

  it('T-119 report states to those who may not read the mission that is recorded, and nothing of what it shows', async () => {
    const { id, EO } = await platformOf(['G1', 'G2']);
    const marker = await platformOf(['Demo']);
    recorder.source(id, EO);
    await expect.poll(() => server.coordination.mirror.source(EO)).not.toBeNull();
    const started = await askAs(server, 'SA').post('/api/platforms/control?command=start', {
      ...{ platformName: id, record: true, usergroups: [groups.G1], securityClassification: 3 },
    });
    const [inside, outside] = [await page('U1'), await page('U2')];

    recorder.klv(EO, encodeSt0601(POSITION));
    await expect.poll(() => inside.positions(id).length).toBe(1);
    recorder.source(id, EO, { video: null, state: 'lost' });
    await notifyMark(marker, [inside, outside]);

    expect(started.status).toBe(200);
    expect(outside.positions(id)).toEqual([]);
    expect(outside.monitor(id).map(({ topic }) => topic)).toEqual(['state', 'state']);
    expect(inside.monitor(id).map(({ topic }) => topic)).toContain('detection');
  });
});

describe('a security mark in a live stream', () => {
  it('raises the label of the platform and of what it is recorded into, at once, and notifies cleared accounts', async () => {
    const { id, EO } = await platformOf(['G1', 'G2']);
    recorder.source(id, EO);
    await expect.poll(() => server.coordination.mirror.source(EO)).not.toBeNull();
    const { body } = await askAs(server, 'SA').post<{ mission: { _id: string } }>(
      '/api/platforms/control?command=start',
      { platformName: id, record: true },
    );
    const missionId = body.mission._id;
    const [admin, below, member] = [await page('SA', null), await page('A2', null), await page('U1', null)];

    recorder.say({ kind: 'mark', sensorId: EO, platformId: id, missionId, rank: 4 });

    await expect
      .poll(() => admin.recorder().map(({ info }) => info))
      .toEqual([expect.stringMatching(/is marked SECRET: the label of its platform rose$/)]);
    await expect
      .poll(() =>
        member
          .revoked()
          .map(({ noun }) => noun)
          .sort(),
      )
      .toEqual(['missions', 'platforms']);
    expect(below.recorder()).toEqual([]);
    const labels = await db.selectFrom('missions').select('classification').where('id', '=', missionId).execute();
    const platform = await db.selectFrom('platforms').select('classification').where('id', '=', id).execute();
    expect([labels, platform]).toEqual([[{ classification: 4 }], [{ classification: 4 }]]);
    const noted = async () =>
      (await db.selectFrom('audit').select('item_id').where('action', '=', 'label_conflict').execute())
        .map(({ item_id }) => item_id)
        .sort();
    await expect.poll(noted).toEqual([id, missionId].sort());
  });

  it('waits for no other, whose mission has no row', async () => {
    const [binned, own] = [await platformOf(['G1']), await platformOf(['G1'])];
    const missionId = await addMission(db, { platform_id: own.id, state: 'Running' });
    const mark = { kind: 'mark', rank: 4 } as const;
    const labelOf = async (table: 'missions' | 'platforms', id: string) =>
      (await db.selectFrom(table).select('classification').where('id', '=', id).executeTakeFirstOrThrow())
        .classification;

    recorder.say({ ...mark, sensorId: binned.EO, platformId: binned.id, missionId: crypto.randomUUID(), rank: 2 });
    recorder.say({ ...mark, sensorId: binned.EO, platformId: binned.id, missionId: crypto.randomUUID() });
    recorder.say({ ...mark, sensorId: own.EO, platformId: own.id, missionId });

    await expect.poll(() => labelOf('missions', missionId)).toBe(4);
    await expect.poll(() => labelOf('platforms', own.id)).toBe(4);
    await expect.poll(() => labelOf('platforms', binned.id)).toBe(4);
  });
});
