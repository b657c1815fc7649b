import type { LivePlatform, Mission, PlatformControlled } from '@osprey/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { testRecorder } from '../../../test/recorder.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { recorderCheck } from '../../live/rows/recorder-check.ts';

const server = await recordingServer();
const recorder = await testRecorder(server.dataDir);
beforeAll(() => vi.waitFor(() => expect(server.coordination.mirror.connected()).toBe(true)));
const { db, groups } = server;

const control = (by: Subject, command: 'start' | 'stop', body: object) =>
  askAs(server, by).post<PlatformControlled & { code?: string; text?: string }>(
    `/api/platforms/control?command=${command}`,
    body,
  );
const platformOf = async (by: Subject, id: string) =>
  (await askAs(server, by).get<LivePlatform[]>('/api/platforms')).body.find(({ _id }) => _id === id);
const missionOf = async (by: Subject, id: string) => askAs(server, by).get<Mission>(`/api/missions/${id}`);

/** A platform of G1 and G2 whose stream is there. */
async function flying(fields: Parameters<typeof addPlatform>[1] = {}) {
  const id = await addPlatform(db, { usergroups: [groups.G1, groups.G2], sensors: ['EO', 'IR'], ...fields });
  const sensors = await sensorsOf(db, id);
  for (const sensorId of Object.values(sensors)) recorder.source(id, sensorId);
  await expect.poll(() => server.coordination.mirror.source(sensors.IR ?? sensors.EO!)).not.toBeNull();
  return { id, sensors };
}

describe('platforms/control', () => {
  it('lets a mission that was begun without a name be described while it runs, and tells the recorder', async () => {
    const { id } = await flying();
    const begun = await control('SA', 'start', { platformName: id, record: true });
    const { _id: missionId, name: given } = begun.body.mission!;
    await expect.poll(async () => (await missionOf('U1', missionId)).body.state).toBe('Running');
    const rename = (name: string) => askAs(server, 'SA').put<Mission>(`/api/missions/${missionId}/name`, { name });
    const name = `night-${id.slice(0, 8)}`;

    expect(await rename(name)).toMatchObject({ status: 200, body: { name } });
    const change = {
      description: 'north',
      tags: ['dawn'],
      securityClassification: 'RESTRICTED',
      usergroups: [groups.G1],
    };
    const changed = await askAs(server, 'SA').put('/api/missions', { _id: missionId, name, ...change });

    expect(changed.status).toBe(200);
    const journal = { missionName: name, description: 'north', tags: ['dawn'], classification: 2, marked: true };
    await vi.waitFor(
      () => expect(recorder.recordings.get(missionId)).toMatchObject({ ...journal, usergroups: [groups.G1] }),
      { timeout: 2000 },
    );
    await expect.poll(async () => (await platformOf('U1', id))?.missionName).toBe(name);
    // The name was given: from now on it is that of any recording.
    expect((await rename('another')).status).toBe(422);
    expect((await missionOf('U1', given)).body.name).toBe(name);
    await control('SA', 'stop', { platformName: id, stopMission: true });
  });

  it('says that nothing is recorded where a stop finds nothing that runs', async () => {
    const { id } = await flying({ name: `Idle ${crypto.randomUUID().slice(0, 8)}` });
    const { name } = await db.selectFrom('platforms').select('name').where('id', '=', id).executeTakeFirstOrThrow();

    const stopped = await control('SA', 'stop', { platformName: id, stopMission: true });

    expect(stopped).toMatchObject({
      status: 200,
      body: { message: `Platform ${name} records nothing.`, mission: null },
    });
  });

  it('tells a recorder that was away, and keeps on while it refuses', async () => {
    const { id } = await flying();
    const begun = await control('SA', 'start', {
      platformName: id,
      record: true,
      missionName: `fix-${id.slice(0, 8)}`,
    });
    const { _id: missionId, name } = begun.body.mission!;
    await expect.poll(async () => (await missionOf('U1', missionId)).body.state).toBe('Running');

    const refused = await askAs(server, 'SA').put(`/api/missions/${missionId}/name`, { name: 'other' });
    expect(refused.status).toBe(422);
    await recorder.die();
    await askAs(server, 'SA').put('/api/missions', { _id: missionId, name, description: 'while it was away' });
    recorder.refuse('The journal of the recording cannot be written.');
    await recorder.comeBack();
    await vi.waitFor(() =>
      expect(recorder.received.filter(({ kind }) => kind === 'describe').length).toBeGreaterThan(2),
    );
    recorder.refuse(null);

    await expect.poll(() => recorder.recordings.get(missionId)?.description).toBe('while it was away');
    await control('SA', 'stop', { platformName: id, stopMission: true });
  });

  it('begins a mission, reports its progress, ends it, and has it ready for those of its groups', async () => {
    const { id, sensors } = await flying();
    const name = `flight-${id.slice(0, 8)}`;

    const started = await control('SA', 'start', {
      ...{ platformName: id, record: true, missionName: name, description: 'north', usergroups: [groups.G1] },
      ...{ tags: ['dawn'], autostart: false },
    });

    expect(started).toMatchObject({ status: 200, body: { message: `Mission ${name} added.`, warning: null } });
    const missionId = started.body.mission!._id;
    expect((await missionOf('U1', missionId)).body).toMatchObject({
      ...{ name, state: 'Running', description: 'north', tags: ['dawn'], usergroups: [groups.G1], marked: true },
      recordingStartTime: expect.any(Number),
      sensors: [
        { name: 'EO', state: 'Running' },
        { name: 'IR', state: 'Running' },
      ],
    });
    recorder.file(missionId, sensors.EO!, { sizeBytes: 5000, durationSeconds: 12, segments: 6 });
    await expect.poll(async () => (await platformOf('U1', id))?.sizeBytes).toBe(5000);
    expect(await platformOf('U1', id)).toMatchObject({
      ...{ live: true, state: 'online', mission: missionId, missionName: name, duration: 12, segments: 6 },
      sensors: [
        { live: true, state: 'online', url: null, recorderInfo: { info: { totalSegments: 6 }, error: null } },
        { live: true, segments: 0 },
      ],
    });
    const row = (await platformOf('U1', id))!;
    expect(row).toMatchObject({ id, platform: row.name, sensor: null });
    expect(row.sensors[0]).toMatchObject({
      ...{ id: sensors.EO, parentId: id, platform: row.name, sensor: 'EO' },
      ...{ parentPlatformName: row.name, parentPlatformType: row.type, parentPlatformLive: true },
    });
    // Pictures over the socket come from this server itself.
    const config = { wsVideoStreamPort: null, serverHostName: null };
    expect([row.config, row.sensors[0]?.config]).toEqual([config, config]);
    expect((await platformOf('SA', id))?.sensors[0]?.url).toBe('udp://127.0.0.1:5000');

    const stopped = await control('SA', 'stop', { platformName: id, stopMission: true });

    expect(stopped.body).toMatchObject({
      message: expect.stringMatching(/^Platform .* stopped\.$/),
      mission: { name },
    });
    await expect.poll(() => recorder.settled).toContain(missionId);
    expect((await missionOf('U1', missionId)).body.state).toBe('Processing');
    expect(await platformOf('U1', id)).toMatchObject({
      ...{ live: false, mission: null, sizeBytes: null, sensors: [{ parentPlatformLive: false }, {}] },
    });
    const files = await db.selectFrom('files').selectAll().where('size_bytes', '=', 5000).execute();
    expect(files).toMatchObject([{ kind: 'ts', state: 'waiting', uploaded_by: null }]);
    const audit = await db.selectFrom('audit').select('action').where('item_id', '=', id).orderBy('seq').execute();
    expect(audit.map(({ action }) => action)).toEqual(['platform.record', 'platform.stop']);
  });

  it('T-038 never records below the label of the platform, says so, and takes a higher one', async () => {
    const labelOf = async (securityClassification?: number) => {
      const { id } = await flying({ classification: 3 });
      const { body, headers } = await control('SA', 'start', {
        platformName: id,
        record: true,
        ...(securityClassification === undefined
          ? {}
          : // Above the ceiling of G1, it would be refused.
            { securityClassification, usergroups: [groups.G2] }),
      });
      const { body: mission } = await missionOf('SA', body.mission!._id);
      return [mission.securityClassification, body.warning, headers.warning];
    };
    const reported = 'The mission has the label CONFIDENTIAL of its platform: a recording is never below it.';

    expect(await labelOf()).toEqual(['CONFIDENTIAL', null, undefined]);
    expect(await labelOf(1)).toEqual(['CONFIDENTIAL', reported, `199 osprey "${reported}"`]);
    expect(await labelOf(4)).toEqual(['SECRET', null, undefined]);
  });

  it('stops and starts single sensors of a running mission, in their own place of it', async () => {
    const { id, sensors } = await flying();
    const { body } = await control('SA', 'start', { platformName: id, record: true, sensors: ['EO'] });
    const missionId = body.mission!._id;

    const added = await control('SA', 'start', { platformName: id, record: true, sensors: ['IR'] });
    const stopped = await control('SA', 'stop', { platformName: id, sensors: ['EO'] });
    await expect.poll(async () => (await platformOf('SA', id))?.sensors.map(({ live }) => live)).toEqual([false, true]);
    const before = recorder.recordings.get(missionId)?.sensors.find(({ liveSensorId }) => liveSensorId === sensors.EO);
    const again = await control('SA', 'start', { platformName: id, record: true, sensors: ['EO'] });

    expect([added, stopped, again].map((answer) => answer.body.message)).toEqual([
      'Sensor IR started.',
      'Sensor EO stopped.',
      'Sensor EO started.',
    ]);
    const after = recorder.recordings.get(missionId)?.sensors.find(({ liveSensorId }) => liveSensorId === sensors.EO);
    expect(after).toMatchObject({ sensorId: before?.sensorId, state: 'recording' });
    await expect
      .poll(async () => (await missionOf('SA', missionId)).body.sensors.map(({ name, state }) => [name, state]).sort())
      .toEqual([
        ['EO', 'Running'],
        ['IR', 'Running'],
      ]);
  });

  it('tries a sensor again that the recorder set aside, with rows of the audit for both', async () => {
    const { id, sensors } = await flying({ sensors: ['EO'] });
    const sinceUs = Date.now() * 1000;
    const aside = { sinceUs, untilUs: sinceUs + 600_000_000 };
    const sensorId = sensors.EO!;
    recorder.source(id, sensorId, { on: false, state: 'offline', aside });
    const row = async () => (await platformOf('SA', id))?.sensors[0];
    await expect.poll(async () => (await row())?.aside).toEqual({ since: sinceUs, until: aside.untilUs });
    const health = recorderCheck({ mirror: server.coordination.mirror, nowMs: () => 0 });
    expect(await health()).toMatchObject({ state: 'warning', text: expect.stringMatching(/^1 sensor is set aside/) });
    // Counts come each second, and are no news.
    recorder.source(id, sensorId, { bytes: 5 });

    const tried = await control('SA', 'start', { platformName: id, sensors: ['EO'] });

    expect(tried.status).toBe(200);
    expect(recorder.received).toContainEqual({ kind: 'retry', request: expect.any(Number), sensorId });
    await expect.poll(async () => (await row())?.aside).toBeNull();
    expect((await health()).state).toBe('ok');
    const rows = db.selectFrom('audit').select(['action', 'result']).where('item_id', '=', id).orderBy('seq');
    await expect
      .poll(() => rows.execute())
      .toEqual([
        { action: 'platform.setAside', result: `sensor ${sensorId} at ${sinceUs}` },
        { action: 'platform.switch', result: `start ${sensorId}` },
      ]);
  });

  it('switches sources on without a recording, and off again', async () => {
    const id = await addPlatform(db, { usergroups: [groups.G1], sensors: ['EO', 'IR'] });
    const on = () =>
      recorder
        .orders()
        ?.platforms.find(({ platformId }) => platformId === id)
        ?.sensors.map((sensor) => sensor.on);
    await expect.poll(on).toEqual([false, false]);

    const started = await control('GA', 'start', { platformName: id, sensors: ['IR'] });
    await expect.poll(on).toEqual([false, true]);
    await control('GA', 'stop', { platformName: id, record: false });

    expect(started.body).toEqual({ message: 'Sensor IR started.', mission: null, warning: null });
    await expect.poll(on).toEqual([false, false]);
    expect([...recorder.recordings.values()].some(({ platform }) => platform.platformId === id)).toBe(false);
  });

  it('takes name, label and audience of the platform where none is given', async () => {
    const name = `now-${crypto.randomUUID().slice(0, 8)}`;
    const { id } = await flying({ name, classification: 2 });

    const started = await control('SA', 'start', { platformName: id, record: true, autostart: false });

    expect(started).toMatchObject({ status: 200, body: { warning: null } });
    const { securityClassification } = (await platformOf('SA', id))!;
    const mission = (await missionOf('SA', started.body.mission!._id)).body;
    expect(mission).toMatchObject({ securityClassification, state: 'Running', audience: 'groups' });
    expect(mission.name).toMatch(new RegExp(`^${name}-\\d{8}-\\d{6}$`));
    expect(mission.usergroups.toSorted()).toEqual([groups.G1, groups.G2].toSorted());
    expect(mission.sensors.map((sensor) => sensor.name)).toEqual(['EO', 'IR']);
    await control('SA', 'stop', { platformName: id, stopMission: true });
    const audit = await db.selectFrom('audit').select('action').where('item_id', '=', id).orderBy('seq').execute();
    expect(audit.map(({ action }) => action)).toEqual(['platform.record', 'platform.stop']);
  });

  it('refuses a taken name, forbidden groups and labels, and accounts that may not control', async () => {
    const { id } = await flying();
    const taken = await control('SA', 'start', { platformName: id, record: true, missionName: 'taken' });
    const other = await flying();
    const start = async (by: Subject, body: object) => {
      const answer = await control(by, 'start', { platformName: other.id, record: true, ...body });
      return answer.body.code ?? answer.body.message;
    };

    expect(taken.status).toBe(200);
    expect(await start('SA', { missionName: 'taken' })).toBe('missionNameTaken');
    expect(await start('SA', { usergroups: [crypto.randomUUID()] })).toBe('unknownUsergroup');
    expect(await start('SA', { usergroups: [groups.G1], securityClassification: 5 })).toBe('labelAboveGroup');
    expect(await start('A2', { securityClassification: 5 })).toBe('forbidden');
    expect(await start('U1', {})).toBe('forbidden');
    // Group G2 is not theirs.
    expect(await start('GA', {})).toBe('forbidden');
    expect(await start('U0', {})).toBe('notFound');
    expect(await start('SA', { sensors: ['UV'] })).toBe('ruleRefused');
    expect(server.coordination.mirror.runningOf(other.id)).toBeNull();
  });

  it('leaves no row of what the recorder refuses, and answers 503 and 507 for what it cannot', async () => {
    const { id } = await flying();
    const start = (missionName: string) => control('SA', 'start', { platformName: id, record: true, missionName });
    const rows = () => db.selectFrom('missions').select('name').where('platform_id', '=', id).execute();

    recorder.refuse('The folder cannot be written.');
    expect((await start('refused')).body).toMatchObject({ code: 'ruleRefused', text: 'The folder cannot be written.' });
    recorder.refuse('The disk is full: nothing can be recorded.');
    expect((await start('refused')).status).toBe(507);
    recorder.refuse(null);
    await recorder.die();
    await expect.poll(() => server.coordination.mirror.connected()).toBe(false);
    const away = await start('refused');
    const unknown = await platformOf('SA', id);
    await recorder.comeBack();
    await expect.poll(() => server.coordination.mirror.connected()).toBe(true);

    expect(away.status).toBe(503);
    expect(unknown?.sensors.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(await rows()).toEqual([]);
    expect((await start('taken-after-all')).status).toBe(200);
  });

  it('shows what usergroups allow: all of it to superAdmins, the union of shared groups to others', async () => {
    await db
      .updateTable('usergroups')
      .set({ live_modes: ['Preview'] })
      .where('id', '=', groups.G1)
      .execute();
    await db
      .updateTable('usergroups')
      .set({ live_modes: ['WebRtc'] })
      .where('id', '=', groups.G2)
      .execute();
    const shared = await addPlatform(db, { usergroups: [groups.G1, groups.G2] });
    const open = await addPlatform(db, { audience: 'everyone' });
    const modes = async (by: Subject, id: string) => (await platformOf(by, id))?.liveModes;

    expect(await modes('SA', shared)).toEqual(['Preview', 'WebRtc']);
    expect(await modes('U1', shared)).toEqual(['Preview']); // S2-152
    expect(await modes('U2', shared)).toEqual(['WebRtc']);
    expect(await modes('U1', open)).toEqual(['Preview']);
    expect(await modes('U0', open)).toEqual([]);
  });
});

describe('the KLV stream of a live sensor', () => {
  const stream = (pid: number, positions: number) => ({ pid, program: 1, sets: 75, positions });
  const several = (chosen: number, requested: number | null = null) => ({
    klvStreams: {
      ...{ chosen, by: requested === chosen ? ('user' as const) : ('positions' as const), wanted: requested },
      streams: [stream(257, 75), stream(258, 75)],
    },
  });
  const choose = (by: Subject, sensorId: string, pid: number | null) =>
    askAs(server, by).put<{ message: string; code?: string; text?: string }>(`/api/live/${sensorId}/klv`, { pid });
  const orderOf = (sensorId: string) =>
    recorder
      .orders()
      ?.platforms.flatMap(({ sensors }) => sensors)
      .find((one) => one.sensorId === sensorId);

  it('is chosen by who controls the platform, kept, recorded as chosen, undone, and stands in the audit', async () => {
    const { id, sensors } = await flying();
    const sensorId = sensors.EO!;
    recorder.source(id, sensorId, several(257));
    await expect.poll(async () => (await platformOf('U1', id))?.sensors[0]?.klvStreams?.chosen).toBe(257);

    expect((await choose('U1', sensorId, 258)).status).toBe(403);
    expect(await choose('SA', sensorId, 258)).toMatchObject({
      ...{ status: 200, body: { message: 'The telemetry of EO is KLV stream PID 258.' } },
    });
    await expect.poll(() => orderOf(sensorId)?.klvPid).toBe(258);
    recorder.source(id, sensorId, several(258, 258));
    await expect
      .poll(async () => (await platformOf('U1', id))?.sensors[0]?.klvStreams)
      .toMatchObject({
        ...{ chosen: 258, by: 'user', wanted: 258 },
        streams: [
          { pid: 257, positions: 75 },
          { pid: 258, positions: 75 },
        ],
      });

    // A new configuration keeps the choice, as it keeps switches.
    const { body: config } = await askAs(server, 'SA').get<object>(`/api/platforms/${id}/config`);
    const changed = { ...config, description: 'another word' };
    expect((await askAs(server, 'SA').put(`/api/platforms/${id}`, changed)).status).toBe(200);
    const begun = await control('SA', 'start', { platformName: id, record: true });
    const missionId = begun.body.mission!._id;
    const { fileId } = recorder.file(missionId, sensorId, { sizeBytes: 5, endedUs: Date.now() * 1000, klvPid: 258 });
    const reading = async () =>
      (await db.selectFrom('files').select('reading').where('id', '=', fileId).executeTakeFirst())?.reading;
    await expect.poll(reading).toEqual({ klvPid: 258 });
    await control('SA', 'stop', { platformName: id, stopMission: true });
    expect(orderOf(sensorId)?.klvPid).toBe(258);

    expect((await choose('SA', sensorId, null)).body.message).toBe('The rules choose the telemetry of EO again.');
    await expect.poll(() => orderOf(sensorId)?.klvPid).toBeUndefined();
    const rows = await db.selectFrom('audit').select('result').where('action', '=', 'platform.klv').execute();
    expect(rows.map(({ result }) => result)).toEqual([
      `sensor ${sensorId} by the rules -> PID 258`,
      `sensor ${sensorId} PID 258 -> by the rules`,
    ]);
  });

  it('is one of those that are there, and not for who may not read the mission that is recorded', async () => {
    const { id, sensors } = await flying({ usergroups: [groups.G1] });
    const sensorId = sensors.EO!;
    expect((await choose('SA', sensorId, 258)).body.text).toContain('EO has no KLV stream of PID 258 to choose now.');
    recorder.source(id, sensorId, several(257));
    await expect.poll(async () => (await choose('SA', sensorId, 258)).status).toBe(200);
    expect((await choose('SA', sensorId, 300)).status).toBe(422);
    expect((await choose('SA', crypto.randomUUID(), null)).status).toBe(404);

    await control('SA', 'start', { platformName: id, record: true, usergroups: [] });
    const refused = await choose('GA', sensorId, null);
    expect([refused.status, refused.body.text]).toEqual([422, expect.stringContaining('is in use.')]);
    expect((await platformOf('GA', id))?.sensors[0]?.klvStreams).toBeNull();
    await control('SA', 'stop', { platformName: id, stopMission: true });
  });
});
