import { once } from 'node:events';
import { AppError } from '@osprey/contract';
import { decodePacket, encodeSt0601 } from '@osprey/klv';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { join, mux } from '../../../../../packages/mpegts/test/streams.ts';
import { notedOf, withoutAudit } from '../../../test/audit.ts';
import { pictures } from '../../../test/live-stream.ts';
import { type LiveViewer, livePlatform, liveViewer, ticketOf } from '../../../test/live-viewers.ts';
import { waitingFor } from '../../../test/locks.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { type Subject, type TestServer, testServer } from '../../../test/server.ts';

/** The machine may be busy: what must come soon is asked for by its own figure. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 5 });

let server: TestServer;
let recorder: TestRecorder;
let address: string;
const open: LiveViewer[] = [];

beforeAll(async () => {
  server = await testServer({});
  recorder = await testRecorder(server.dataDir);
  address = await server.listen();
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.terminate();
});

async function view(sensorId: string, name: Subject, video = true): Promise<LiveViewer> {
  const viewer = await liveViewer(address, { ticket: await ticketOf(server, name), sensor: sensorId, video });
  open.push(viewer);
  return viewer;
}

/** A sensor without watchers gets nothing, so a test waits for the order to send. */
const watched = (sensorId: string, count = 1) => soon(() => recorder.watchers(sensorId)).toBe(count);

const ended = async (viewer: LiveViewer): Promise<string | undefined> => {
  await viewer.closed;
  return viewer.of('end')[0]?.text;
};

/** Text for a sensor that never was. */
const unknownEnd = async () => ended(await view(crypto.randomUUID(), 'U1'));

describe('the socket of live sensors', () => {
  it('gives an initialisation segment and one fragment a picture, to all viewers from one reading', async () => {
    const { sensorId } = await livePlatform(server);
    const first = await view(sensorId, 'U1');
    await watched(sensorId);

    const stream = pictures(25);
    recorder.media(sensorId, join(stream.slice(0, 15)));
    await soon(() => first.media.length).toBe(1 + 14);
    const second = await view(sensorId, 'SA');
    await soon(() => second.media.length).toBe(1 + 4);
    recorder.media(sensorId, join(stream.slice(15)));

    await soon(() => first.media.length).toBe(1 + 24);
    await soon(() => second.media.length).toBe(1 + 14);
    expect(first.of('video')).toEqual([
      { kind: 'video', mimeType: 'video/mp4; codecs="avc1.64001f"', firstPts: 90_000 },
    ]);
    expect(second.of('video')).toEqual(first.of('video'));
    expect(second.media[0]).toEqual(first.media[0]);
    expect(second.media.slice(1)).toEqual(first.media.slice(11));
    expect(recorder.received.filter(({ kind }) => kind === 'watch')).toHaveLength(1);
  });

  it('asks the recorder for pictures as long as a viewer wants them', async () => {
    const { sensorId } = await livePlatform(server);
    const listener = await view(sensorId, 'U1', false);
    const viewers = [await view(sensorId, 'U1'), await view(sensorId, 'SA')];
    await watched(sensorId);

    const stream = pictures(6);
    recorder.media(sensorId, join(stream.slice(0, 3)));
    for (const { media } of viewers) await soon(() => media.length).toBe(3);
    viewers[0]!.socket.close();
    await viewers[0]!.closed;
    recorder.media(sensorId, join(stream.slice(3)));
    await soon(() => viewers[1]!.media.length).toBe(6);
    expect(recorder.watchers(sensorId)).toBe(1);
    viewers[1]!.socket.close();

    await watched(sensorId, 0);
    expect(listener.media).toEqual([]);
  });

  it('announces the format of the pictures again where the clock jumps, and media time goes on', async () => {
    const { sensorId } = await livePlatform(server);
    const viewer = await view(sensorId, 'U1');
    await watched(sensorId);

    recorder.media(sensorId, join(pictures(10)));
    recorder.media(sensorId, join(pictures(20, { startTicks: 900_000_000 })), { lost: true });
    await soon(() => viewer.of('video').length).toBe(2);

    const [before, after] = viewer.of('video');
    // Nine pictures came whole before the jump; the tenth was cut off by it.
    const mediaTime = (900_000_000 - after!.firstPts) / 3000;
    expect(before!.firstPts).toBe(90_000);
    expect(mediaTime).toBeGreaterThan(8);
    expect(mediaTime).toBeLessThan(12);
  });

  it('is none of the fifty of its user when it asks for what is not there and goes away while its ticket is looked at', async () => {
    const { sensorId } = await livePlatform(server);
    const tickets = await Promise.all(Array.from({ length: 50 }, () => ticketOf(server, 'U1')));
    await server.db.transaction().execute(async (tx) => {
      await sql`lock table credentials in access exclusive mode`.execute(tx);
      for (const ticket of tickets) {
        const { socket, closed } = await liveViewer(address, { ticket, sensor: crypto.randomUUID(), video: false });
        // Answered after the message before it.
        socket.ping();
        await once(socket, 'pong');
        socket.close();
        await closed;
      }
      expect(await waitingFor('credentials', tx)).toBeGreaterThan(0);
    });

    recorder.klv(sensorId, encodeSt0601({ '2': 1_700_000_000_000_000 }), 1000);
    const viewer = await view(sensorId, 'U1', false);

    await soon(() => viewer.messages.length).toBeGreaterThan(0);
    expect(viewer.messages.map(({ kind }) => kind)).toEqual(['telemetry']);
  });

  it('T-072 is noted in the audit as watched by the holder of the ticket, for any address', async () => {
    const { sensorId, platformId } = await livePlatform(server, { label: 3 });
    const hello = { ticket: await ticketOf(server, 'U1'), sensor: sensorId, video: false };
    open.push(await liveViewer(address, hello, {}, '?user=superadmin&clientId=SA'));

    const readers = async () => {
      const rows = server.db.selectFrom('audit').select('actor_id').where('item_id', '=', platformId);
      return (await rows.execute()).map(({ actor_id }) => actor_id);
    };
    await soon(readers).toContain(server.userId('U1'));
    expect(new Set(await readers())).toEqual(new Set([server.userId('U1')]));
  });

  it('T-103 leaves a row with its label, and without one has pictures of UNCLASSIFIED alone', async () => {
    const [secret, plain] = [await livePlatform(server, { label: 3 }), await livePlatform(server)];
    const viewer = await view(secret.sensorId, 'U1');
    await watched(secret.sensorId);
    const fly = () => [secret, plain].map(({ sensorId }) => recorder.media(sensorId, join(pictures(10))));
    fly();
    await soon(() => viewer.media.length).toBeGreaterThan(1);

    const refused = await withoutAudit(server.db, async () => {
      const refused = await view(secret.sensorId, 'SA');
      const open = await view(plain.sensorId, 'SA');
      await watched(plain.sensorId);
      fly();
      await soon(() => open.media.length).toBeGreaterThan(1);
      expect(await ended(refused)).toBe(new AppError('unavailable').message);
      return refused;
    });

    expect([refused.messages.length, refused.media]).toEqual([1, []]);
    expect(await notedOf(server.db, secret.platformId)).toEqual([[server.userId('U1'), 'media.begin', 3]]);
  });

  it('gives telemetry with every mode, as rows of telemetryPage', async () => {
    const { sensorId } = await livePlatform(server);
    const viewer = await view(sensorId, 'U1', false);
    const klv = encodeSt0601({ '2': 1_700_000_000_000_000, '13': 37.65, '14': 24.3, '5': 271.5, '10': 'KEA-1' });
    // The server adds the socket to the listeners a moment after it opens, so the test sends until a set arrives.
    const sending = setInterval(() => recorder.klv(sensorId, klv, 2 ** 33 + 4500), 20);
    await soon(() => viewer.of('telemetry').length).toBeGreaterThan(0);
    clearInterval(sending);

    const [row] = viewer.of('telemetry');
    expect(row).toMatchObject({ pts: 4500, time: 1_700_000_000_000_000, sets: null });
    expect(row!.tags['10']).toBe('KEA-1');
    expect(row!.tags['5']).toBeCloseTo(271.5, 2);
    expect(row!.tags['13']).toBeCloseTo(decodePacket(klv, 0, klv.length).values['13'] as number, 6);
    expect(row!.tags['2']).toBeUndefined();
  });

  it('sends a new viewer the last seconds, as HLS is later than live, but nothing that was forgotten', async () => {
    const { sensorId } = await livePlatform(server);
    const set = (heading: number) => encodeSt0601({ '2': 1_700_000_000_000_000, '5': heading });
    recorder.klv(sensorId, set(10), 1000);
    const first = await view(sensorId, 'U1', false);
    await soon(() => first.of('telemetry').map(({ pts }) => pts)).toEqual([1000]);

    recorder.say({ kind: 'sourceGone', sensorId });
    recorder.klv(sensorId, set(20), 2000);
    await soon(() => first.of('telemetry').map(({ pts }) => pts)).toEqual([1000, 2000]);
    const second = await view(sensorId, 'U1', false);

    await soon(() => second.of('telemetry').map(({ pts }) => pts)).toEqual([2000]);
  });

  it('takes a ticket once, and only with its sensor in the first message', async () => {
    const { sensorId } = await livePlatform(server);
    const ticket = await ticketOf(server, 'U1');
    const viewer = await liveViewer(address, { ticket, sensor: sensorId, video: true });
    open.push(viewer);
    await watched(sensorId);

    expect(await ended(await liveViewer(address, { ticket, sensor: sensorId, video: true }))).toMatch(/ticket/);
    for (const hello of ['nonsense', '{}', { ticket, sensor: 'x', video: true }, { ticket, sensor: sensorId }]) {
      expect(await ended(await liveViewer(address, hello))).toBe('The first message must hold a ticket and a sensor.');
    }
  });

  it('is open to pages of its own only', async () => {
    await expect(liveViewer(address, null, { origin: 'https://evil.example' })).rejects.toThrow('403');
    await expect(liveViewer(address, null, { host: 'evil.example' })).rejects.toThrow('403');
  });

  it('cuts who says nothing for 5 s, and who says too much', { timeout: 10_000 }, async () => {
    const { sensorId } = await livePlatform(server);
    const silent = await liveViewer(address, null);
    const started = performance.now();
    const loud = await view(sensorId, 'U1');
    for (let i = 0; i < 25; i++) loud.socket.send('{}');

    expect(await loud.closed).toBe(1006);
    await silent.closed;
    expect(performance.now() - started).toBeGreaterThan(4500);
    expect(performance.now() - started).toBeLessThan(6500);
  });

  it.each(['U2', 'U0', 'guest'] as const)('is not there for %s, who may not see the platform', async (name) => {
    const { sensorId } = await livePlatform(server);

    expect(await ended(await view(sensorId, name))).toBe('Not found, or not visible to you.');
    expect(await ended(await view(crypto.randomUUID(), name))).toBe('Not found, or not visible to you.');
    expect(recorder.watchers(sensorId)).toBe(0);
  });

  it('shows pictures only to those whose usergroups allow Preview', async () => {
    const { sensorId } = await livePlatform(server, { modes: ['WebRtc'] });

    expect(await ended(await view(sensorId, 'U1'))).toMatch(/not/);
    const listener = await view(sensorId, 'U1', false);
    expect(listener.socket.readyState).toBe(listener.socket.OPEN);
  });

  it('T-032: sends nothing later than 1 s after the user has left the group', async () => {
    const { sensorId } = await livePlatform(server);
    const viewer = await view(sensorId, 'U1');
    await watched(sensorId);
    const stream = pictures(3000);
    const sending = setInterval(() => recorder.media(sensorId, join(stream.splice(0, 3))), 10);
    await soon(() => viewer.media.length).toBeGreaterThan(20);

    await server.db
      .deleteFrom('user_usergroups')
      .where('user_id', '=', server.userId('U1'))
      .where('usergroup_id', '=', server.groups.G1)
      .execute();
    const left = performance.now();
    await viewer.closed;
    clearInterval(sending);
    await server.db
      .insertInto('user_usergroups')
      .values({ user_id: server.userId('U1'), usergroup_id: server.groups.G1 })
      .execute();

    expect(viewer.lastMs() - left).toBeLessThan(1000);
    expect(viewer.of('end')).toEqual([{ kind: 'end', text: 'You may no longer watch this.' }]);
    await watched(sensorId, 0);
  });

  it('T-118: shows a session nothing above its ceiling, and ends what rises above it', async () => {
    const [high, rising] = [await livePlatform(server, { label: 2 }), await livePlatform(server)];
    const headers = await server.limited('U1', 'UNCLASSIFIED');
    const limited = async (sensor: string) => {
      const { ticket } = (await server.inject({ method: 'POST', url: '/api/tickets', headers })).json();
      const viewer = await liveViewer(address, { ticket, sensor, video: true });
      open.push(viewer);
      return viewer;
    };
    const refused = await limited(high.sensorId);
    expect([await ended(refused), refused.media]).toEqual([await unknownEnd(), []]);
    const [low, complete] = [await limited(rising.sensorId), await view(rising.sensorId, 'U1')];
    await watched(rising.sensorId);
    recorder.media(rising.sensorId, join(pictures(10)));
    await soon(() => low.media.length).toBeGreaterThan(0);

    const raised = server.db.updateTable('platforms').set({ classification: 2 });
    await raised.where('id', '=', rising.platformId).execute();

    expect(await ended(low)).toBe('You may no longer watch this.');
    const before = complete.media.length;
    recorder.media(rising.sensorId, join(pictures(20)));
    await soon(() => complete.media.length).toBeGreaterThan(before);
  });

  it('leaves pictures out for a viewer that does not read, and for no other', async () => {
    const { sensorId } = await livePlatform(server);
    const slow = await view(sensorId, 'U1');
    const quick = await view(sensorId, 'SA');
    await watched(sensorId);
    const stream = pictures(620, { sizeBytes: 60_000 });
    const send = (count: number) => recorder.media(sensorId, join(stream.splice(0, count)));
    send(10);
    await soon(() => slow.media.length).toBe(10);

    slow.socket.pause();
    for (let sent = 20; sent <= 600; sent += 10) {
      send(10);
      await soon(() => quick.media.length).toBe(sent);
    }
    slow.socket.resume();
    // The answer comes after all that waited.
    const caughtUp = new Promise((resolve) => slow.socket.once('pong', resolve));
    slow.socket.ping();
    await caughtUp;
    send(10);
    // A machine that paused for a second may have made it slow, and quick again, before: each time is reported.
    await soon(() => slow.of('dropped').reduce((sum, { pictures: count }) => sum + count, 0)).toBeGreaterThan(100);

    expect(quick.of('dropped')).toEqual([]);
    expect(slow.of('video')).toHaveLength(1);
  });

  it('ends with a sentence for a stream that no browser plays', async () => {
    const { sensorId } = await livePlatform(server);
    const viewer = await view(sensorId, 'U1');
    await watched(sensorId);
    const code = [0, 0, 1, 0xb3, 0x02, 0x00, 0x18, 0x15, 0xff, 0xff, 0xe0, 0x80, 0, 0, 1, 0, 0, 0x08, 0xff, 0xf8];
    const units = [0, 1, 2].map((i) => {
      return { pid: 256, ptsTicks: 90_000 + i * 3000, keyframe: true, bytes: Uint8Array.from(code) };
    });
    const stream = mux({ streams: [{ pid: 256, kind: 'mpeg2' }] }, units);

    recorder.media(sensorId, stream);

    expect(await ended(viewer)).toBe('This stream is MPEG-2 video, which browsers do not play.');
  });
});
