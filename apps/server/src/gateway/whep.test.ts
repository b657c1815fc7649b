import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { join } from '../../../../packages/mpegts/test/streams.ts';
import { atEnd } from '../../test/cleanup.ts';
import { pictures } from '../../test/live-stream.ts';
import { livePlatform } from '../../test/live-viewers.ts';
import { addMission } from '../../test/missions.ts';
import { type TestRecorder, testRecorder } from '../../test/recorder.ts';
import { type Subject, type TestServer, testServer } from '../../test/server.ts';
import { type WhepViewer, whepViewer } from '../../test/whep-client.ts';
import { composeGateway } from '../compose/gateway.ts';

/** The machine may be busy: what must come soon is asked for by its own figure. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 5 });

let server: TestServer;
let recorder: TestRecorder;
let address: string;
let stopGateway: () => Promise<void>;

async function startGateway(): Promise<void> {
  const gateway = composeGateway({ config: server.parts.config, log: pino({ level: 'silent' }) });
  await gateway.start();
  stopGateway = gateway.close;
}

beforeAll(async () => {
  server = await testServer();
  recorder = await testRecorder(server.dataDir);
  address = await server.listen();
  await startGateway();
  atEnd(() => stopGateway());
});

/** A sensor that sends: a picture every 10 ms, as long as the test runs. */
async function flying(options: Parameters<typeof livePlatform>[1] = {}, sizeBytes = 0) {
  const sensor = await livePlatform(server, options);
  recorder.source(sensor.platformId, sensor.sensorId);
  await soon(() => server.coordination.mirror.source(sensor.sensorId)?.state).toBe('online');
  let stream = pictures(3000, { sizeBytes });
  const sending = setInterval(() => {
    if (recorder.watchers(sensor.sensorId) > 0) recorder.media(sensor.sensorId, join(stream.splice(0, 1)));
  }, 10);
  atEnd(async () => clearInterval(sending));
  return {
    ...sensor,
    stop: () => clearInterval(sending),
    replace: (other: Uint8Array[]) => {
      stream = other;
    },
  };
}

const opened: { name: Subject; url: string }[] = [];
afterEach(async () => {
  // A user has sixteen sessions at a time.
  for (const { name, url } of opened.splice(0)) {
    await soon(async () => (await remove(name, url)).statusCode).toBe(404);
  }
});

type Network = Parameters<typeof whepViewer>[3];

async function watch(sensorId: string, name: Subject = 'U1', network: Network = {}): Promise<WhepViewer> {
  const viewer = await whepViewer(address, sensorId, server.headersOf(name), network);
  atEnd(viewer.close);
  if (viewer.location !== null) opened.push({ name, url: viewer.location });
  return viewer;
}

const remove = (name: Subject, url: string) => server.asUser(name).inject({ method: 'DELETE', url });

describe('WHEP', () => {
  it('sends every picture from a key frame on, with parameter sets first and the PTS as its time', async () => {
    const { sensorId } = await flying({}, 5000);
    const viewer = await watch(sensorId);

    expect(viewer).toMatchObject({ status: 201, location: expect.stringMatching(/^\/api\/live\/.+\/whep\/.+$/) });
    await soon(() => viewer.pictures.length).toBeGreaterThan(60);

    expect(viewer.firstTypes[0]).toBe(24);
    expect((viewer.pictures[0]! - 90_000) % 30_000).toBe(0);
    const steps = new Set(viewer.pictures.slice(1).map((time, i) => time - viewer.pictures[i]!));
    expect([...steps]).toEqual([3000]);
    expect(viewer.missing()).toBe(0);
    await viewer.close();
  });

  it('reads the stream once for all viewers, as long as one is there', async () => {
    const { sensorId } = await flying();
    const viewers = [await watch(sensorId), await watch(sensorId, 'SA')];
    for (const { pictures: seen } of viewers) await soon(() => seen.length).toBeGreaterThan(10);
    expect(recorder.watchers(sensorId)).toBe(1);

    expect((await remove('U1', viewers[0]!.location!)).statusCode).toBe(200);
    const seen = viewers[1]!.pictures.length;
    await soon(() => viewers[1]!.pictures.length).toBeGreaterThan(seen + 10);
    expect((await remove('U1', viewers[1]!.location!)).statusCode).toBe(404);
    expect((await remove('SA', viewers[1]!.location!)).statusCode).toBe(200);

    await soon(() => recorder.watchers(sensorId)).toBe(0);
    await soon(async () => (await remove('SA', viewers[1]!.location!)).statusCode).toBe(404);
  });

  it('T-087: is refused with 403 where no usergroup allows WebRtc', async () => {
    const { sensorId } = await flying({ modes: ['Preview'] });

    expect((await watch(sensorId)).status).toBe(403);
    expect((await watch(sensorId, 'SA')).status).toBe(201);
  });

  it.each(['U2', 'U0', 'guest'] as const)('is not there for %s, who may not see the platform', async (name) => {
    const { sensorId } = await flying();

    expect((await watch(sensorId, name)).status).toBe(404);
    expect((await watch(crypto.randomUUID(), name)).status).toBe(404);
  });

  it('T-032: sends nothing later than 1 s after the user has left the group', async () => {
    const { sensorId } = await flying();
    const viewer = await watch(sensorId);
    await soon(() => viewer.pictures.length).toBeGreaterThan(10);
    const membership = { user_id: server.userId('U1'), usergroup_id: server.groups.G1 };

    await server.db
      .deleteFrom('user_usergroups')
      .where('user_id', '=', membership.user_id)
      .where('usergroup_id', '=', membership.usergroup_id)
      .execute();
    const left = performance.now();
    await soon(() => recorder.watchers(sensorId)).toBe(0);
    await server.db.insertInto('user_usergroups').values(membership).execute();

    expect(viewer.lastMs() - left).toBeLessThan(1000);
  });

  it('says why where WebRTC cannot show the stream', async () => {
    const { platformId, sensorId, replace } = await flying();
    const video = { codec: 'h264', width: 64, height: 64, frameRate: 25, browserPlayable: true } as const;
    const reason = async () => JSON.parse((await watch(sensorId)).body) as unknown;

    recorder.source(platformId, sensorId, { video: { ...video, hasBFrames: true } });
    await soon(reason).toMatchObject({ text: 'This stream has B-frames, which WebRTC cannot show.' });
    recorder.source(platformId, sensorId, { video: { ...video, codec: 'h265', hasBFrames: false } });
    await soon(reason).toMatchObject({
      text: 'This stream is not H.264 video, which is what WebRTC shows here.',
    });
    recorder.source(platformId, sensorId, { state: 'lost' });
    await soon(reason).toMatchObject({ text: 'This sensor sends nothing now.' });

    // What the recorder has not seen yet, the gateway sees.
    replace(pictures(1000, { chroma: '4:2:2' }));
    recorder.source(platformId, sensorId, { state: 'online', video: null });
    await soon(() => server.coordination.mirror.source(sensorId)?.video).toBeNull();
    expect(await reason()).toMatchObject({ text: expect.stringMatching(/^This stream is not progressive 4:2:0/) });
  });

  it.each([
    [1, false],
    [5, false],
    [5, true],
  ])('sends again what %i %% loss has taken; in a stream of its own: %s', async (lossPercent, rtx) => {
    const { sensorId, stop } = await flying({}, 12_000);
    const viewer = await watch(sensorId, 'U1', { lossPercent, rtx });
    await soon(() => viewer.pictures.length).toBeGreaterThan(60);

    await soon(() => viewer.late()).toBeGreaterThan(3);
    stop();

    await soon(() => viewer.missing()).toBe(0);
  });

  it('opens nothing for the token of a mission, and no playlist either', async () => {
    const { sensorId } = await flying();
    await addMission(server.db, { name: 'Alpha', classification: 1, audience: 'everyone', state: 'Ready' });
    const found = await server.asUser('U1').inject({ method: 'GET', url: '/api/missions/Alpha' });
    const token = `token=${(found.json() as { accessToken: string }).accessToken}`;
    const playlist = `/api/live/${sensorId}/index.m3u8`;
    const headers = { 'content-type': 'application/sdp' };

    const asked = { url: `/api/live/${sensorId}/whep?${token}`, headers, payload: 'v=0' };
    expect((await server.inject({ method: 'POST', ...asked })).statusCode).toBe(401);
    const read = { method: 'GET', url: `${playlist}?${token}` } as const;
    const answers = [await server.inject(read), await server.asUser('U1').inject(read)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  });

  it('has room for sixteen sessions of one user, and for those of others beside', async () => {
    const { sensorId, stop } = await flying();
    // All wait for a picture, and have their places while they do.
    stop();
    const post = async (name: Subject) => {
      const headers = { 'content-type': 'application/sdp' };
      const asked = { method: 'POST', url: `/api/live/${sensorId}/whep`, headers, payload: 'v=0' } as const;
      return (await server.asUser(name).inject(asked)).statusCode;
    };

    const asked = await Promise.all([...Array.from({ length: 17 }, () => post('U1')), post('SA')]);

    expect(asked.filter((status) => status === 429)).toHaveLength(1);
    expect(asked.filter((status) => status === 503)).toHaveLength(17);
    expect(asked.at(-1)).toBe(503);
  });

  it('takes SDP only', async () => {
    const { sensorId } = await flying();
    const post = (payload: string, type: string) =>
      server.asUser('U1').inject({
        method: 'POST',
        url: `/api/live/${sensorId}/whep`,
        headers: { 'content-type': type },
        payload,
      });

    expect((await post('{}', 'application/json')).statusCode).toBe(415);
    expect((await post('v=0', 'application/sdp; charset=utf-8')).statusCode).toBe(415);
    expect((await post('no offer', 'application/sdp')).statusCode).toBe(422);
    expect((await post('', 'application/sdp')).statusCode).toBe(400);
  });

  it('ends with the gateway, and goes on with the next', async () => {
    const { sensorId } = await flying();
    const before = await watch(sensorId);
    await soon(() => before.pictures.length).toBeGreaterThan(0);

    await stopGateway();
    await soon(async () => (await remove('U1', before.location!)).statusCode).toBe(404);
    expect((await watch(sensorId)).status).toBe(503);
    await startGateway();

    let after = await watch(sensorId);
    await soon(async () => {
      if (after.status !== 201) after = await watch(sensorId);
      return after.pictures.length;
    }).toBeGreaterThan(0);
  });
});
