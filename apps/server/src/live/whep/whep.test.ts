import { promises as dns } from 'node:dns';
import { mkdir, writeFile } from 'node:fs/promises';
import { join as folder } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { join } from '../../../../../packages/mpegts/test/streams.ts';
import { notedOf, withoutAudit } from '../../../test/audit.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { pictures } from '../../../test/live-stream.ts';
import { livePlatform } from '../../../test/live-viewers.ts';
import { addMission } from '../../../test/missions.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { type Subject, type TestServer, testServer } from '../../../test/server.ts';
import { type WhepViewer, whepViewer } from '../../../test/whep-client.ts';
import { composeGateway } from '../../compose/gateway.ts';

/** The machine may be busy: what must come soon is asked for by its own figure. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 5 });

let server: TestServer;
let recorder: TestRecorder;
let address: string;
let stopGateway: () => Promise<void>;

async function startGateway(): Promise<void> {
  const gateway = composeGateway({ config: server.dependencies.config, log: pino({ level: 'silent' }) });
  await gateway.start();
  stopGateway = gateway.close;
}

beforeAll(async () => {
  server = await testServer();
  recorder = await testRecorder(server.dataDir);
  address = await server.listen();
  await startGateway();
  atEnd(() => stopGateway());
  // The api connects to the gateway again by itself: until then the call fails.
  const { sensorId, stop } = await flying();
  await vi.waitFor(async () => expect((await watch(sensorId)).status).toBe(201));
  stop();
});

/** A sensor that sends: a picture every 10 ms, as long as the test runs. */
async function flying(options: Parameters<typeof livePlatform>[1] = {}, sizeBytes = 0) {
  const sensor = await livePlatform(server, options);
  recorder.source(sensor.platformId, sensor.sensorId);
  const isOnline = () => expect(server.coordination.mirror.source(sensor.sensorId)?.state).toBe('online');
  await vi.waitFor(isOnline, { interval: 5 });
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

  it('T-110: asks no server for its own address', async () => {
    const { sensorId } = await flying();
    const lookup = vi.spyOn(dns, 'lookup');

    const viewer = await watch(sensorId);
    await soon(() => viewer.pictures.length).toBeGreaterThan(0);

    expect(lookup.mock.calls).toEqual([]);
    expect(viewer.body).not.toContain('srflx');
    lookup.mockRestore();
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

  it.each([[['Preview']], [[]]])(
    'T-087: is refused with 403 where the usergroups allow %j, and HLS works',
    async (modes) => {
      const { sensorId } = await flying({ modes });
      const bytes = Buffer.alloc(188, 0x47);
      const place = folder(server.dataDir, 'live', 'ring', sensorId);
      await mkdir(place, { recursive: true });
      await writeFile(folder(place, '1.ts'), bytes);
      const part = { offset: 0, sizeBytes: bytes.length, durationSeconds: 2, independent: true };
      recorder.say({
        kind: 'ring',
        segment: {
          ...{
            sensorId,
            n: 1,
            startUs: Date.now() * 1000,
            firstPtsTicks: 0,
            durationSeconds: 2,
            sizeBytes: bytes.length,
          },
          ...{ discontinuity: false, breaks: 0, done: true, parts: [part] },
        },
      });
      await soon(() => server.coordination.mirror.ring(sensorId).length).toBe(1);
      const read = (file: string) =>
        server.asUser('U1').inject({ method: 'GET', url: `/api/live/${sensorId}/${file}` });

      expect((await watch(sensorId)).status).toBe(403);
      expect((await watch(sensorId, 'SA')).status).toBe(201);

      for (const list of ['index.m3u8', 'index.m3u8?mode=ll']) {
        const answer = await read(list);
        expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('1.ts')]);
      }
      const segment = await read('1.ts');
      expect([segment.statusCode, segment.rawPayload]).toEqual([200, bytes]);
    },
  );

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

  it('T-119: while its platform is recorded for fewer, ends for the others within 1 s and is not there for them', async () => {
    const { platformId, sensorId } = await flying();
    const { db, groups } = server;
    await db.insertInto('platform_usergroups').values({ platform_id: platformId, usergroup_id: groups.G2 }).execute();
    await db
      .updateTable('usergroups')
      .set({ live_modes: ['WebRtc'] })
      .where('id', '=', groups.G2)
      .execute();
    const [member, other] = [await watch(sensorId, 'U1'), await watch(sensorId, 'U2')];
    for (const { pictures: seen } of [member, other]) await soon(() => seen.length).toBeGreaterThan(10);
    const control = async (command: 'start' | 'stop', body: object) => {
      const asked = { method: 'POST', url: `/api/platforms/control?command=${command}` } as const;
      const payload = { platformName: platformId, ...body };
      expect((await server.asUser('SA').inject({ ...asked, payload })).statusCode).toBe(200);
    };

    await control('start', { record: true, usergroups: [groups.G1], securityClassification: 3 });
    const begunMs = performance.now();
    await soon(async () => (await remove('U2', other.location!)).statusCode).toBe(404);
    const seen = member.pictures.length;
    // Longer than the second in which it must have ended.
    await soon(() => member.pictures.length).toBeGreaterThan(seen + 150);

    expect(other.lastMs() - begunMs).toBeLessThan(1000);
    expect((await watch(sensorId, 'U2')).status).toBe(404);
    expect((await watch(sensorId, 'U1')).status).toBe(201);

    await control('stop', {});
    await soon(() => server.coordination.mirror.recordedAs(sensorId)).toBeNull();
    const again = await watch(sensorId, 'U2');
    expect(again.status).toBe(201);
    await soon(() => again.pictures.length).toBeGreaterThan(0);
  });

  it('T-103: leaves a row with its label, and without one begins only for viewers of UNCLASSIFIED', async () => {
    const [secret, plain] = [await flying({ label: 3 }), await flying()];
    const viewer = await watch(secret.sensorId);
    await soon(() => viewer.pictures.length).toBeGreaterThan(0);

    const [refused, seen] = await withoutAudit(server.db, async () => {
      const refused = (await watch(secret.sensorId, 'SA')).status;
      const open = await watch(plain.sensorId, 'SA');
      await soon(() => open.pictures.length).toBeGreaterThan(0);
      return [refused, open.status];
    });

    expect([viewer.status, refused, seen]).toEqual([201, 503, 201]);
    expect(await notedOf(server.db, secret.platformId)).toEqual([[server.userId('U1'), 'media.begin', 3]]);
    expect((await watch(secret.sensorId, 'SA')).status).toBe(201);
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

    // A format that the recorder has not seen yet, but the gateway has.
    replace(pictures(1000, { chroma: '4:2:2' }));
    recorder.source(platformId, sensorId, { state: 'online', video: null });
    await soon(() => server.coordination.mirror.source(sensorId)?.video).toBeNull();
    expect(await reason()).toMatchObject({ text: expect.stringMatching(/^This stream is not progressive 4:2:0/) });
  });

  it('answers no offer of more parts than a player has: each would take ports', async () => {
    const { sensorId } = await flying();
    const part = 'm=video 9 UDP/TLS/RTP/SAVPF 102\na=rtpmap:102 H264/90000\na=fmtp:102 packetization-mode=1\n';
    const headers = { 'content-type': 'application/sdp' };
    const asked = { url: `/api/live/${sensorId}/whep`, headers, payload: `v=0\n${part.repeat(100)}` };

    const answer = await server.asUser('U1').inject({ method: 'POST', ...asked });

    expect(answer.json()).toMatchObject({
      code: 'ruleRefused',
      text: expect.stringMatching(/^The offer has 100 parts/),
    });
  });

  async function sendsAgain(lossPercent: number, rtx: boolean) {
    const { sensorId, stop } = await flying({}, 12_000);
    const viewer = await watch(sensorId, 'U1', { lossPercent, rtx });
    await soon(() => viewer.pictures.length).toBeGreaterThan(60);

    await soon(() => viewer.late()).toBeGreaterThan(3);
    stop();

    await soon(() => viewer.missing()).toBe(0);
  }

  const again = 'sends again what %i %% loss has taken; in a stream of its own: %s';
  it.each([
    [5, false],
    [5, true],
  ])(again, sendsAgain);
  it.each([[1, false]])(again, { tags: 'long' }, sendsAgain);

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

  it('has room for sixteen sessions of one user, and for those of others as well', { tags: 'long' }, async () => {
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
