import { readdir } from 'node:fs/promises';
import type { Actor, SourceTested } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { decodableFlight } from '../../../test/decodable-flight.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, type TestServer, testServer } from '../../../test/server.ts';
import { tcpSender } from '../../../test/tcp-sender.ts';
import { secretBox } from '../../base/access/secret-box.ts';
import { readConfig } from '../../base/config/config.ts';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import { composeRecorder } from '../../compose/recorder.ts';
import { sourceTest } from './source-test.ts';

type Answer = SourceTested & { code: string; text: string };

const setOf = (name: string, rank: number) =>
  encodeSt0601({ '2': Date.now() * 1000, '10': name, '48': { '1': rank, '22': 12 }, '65': 17 });

describe('the test of an address', () => {
  let server: TestServer;
  const folder = async () => (await readdir(server.dataDir, { recursive: true })).sort();
  beforeAll(async () => {
    const sourceAllow = ['127.0.0.1'];
    server = await testServer({ config: { sourceAllow } });
    await server.listen();
    const recorder = await composeRecorder({
      config: { ...readConfig({ OSPREY_DATA: server.dataDir }), sourceAllow },
      log: pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' }),
      onEnd: () => undefined,
    });
    await recorder.start();
    atEnd(recorder.close);
    // The recorder stores its orders once it is connected.
    await vi.waitFor(async () => expect(await folder()).toContain('live/orders.json'), 10_000);
  });
  const test = (body: object, by: Subject = 'SA') => askAs(server, by).post<Answer>('/api/platforms/source-test', body);

  it('shows the first picture, the name in the telemetry and its mark, and keeps nothing of it', async () => {
    const flight = decodableFlight(40, setOf('KEA-1', 2));
    const sender = await tcpSender((socket) => socket.write(flight));
    const before = await folder();

    const { status, body } = await test({ url: sender.url });

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'KEA-1', mark: 'RESTRICTED', klv: true, problem: null });
    expect(body.video).toMatchObject({ codec: 'h264', width: 320, height: 180 });
    expect(Buffer.from(body.picture!, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
    await expect.poll(sender.open).toBe(0);
    expect(await folder()).toEqual(before);
    expect(server.coordination.mirror.sources()[Symbol.iterator]().next().done).toBe(true);
    expect(await server.db.selectFrom('platforms').select('id').execute()).toEqual([]);
    const audit = await server.db.selectFrom('audit').select('result').where('action', '=', 'platform.test').execute();
    expect(audit).toEqual([{ result: `${sender.url} picture` }]);
  });

  it('shows nothing of a stream whose mark is above the clearance of the caller', async () => {
    const flight = decodableFlight(40, setOf('KEA-1', 4));
    const sender = await tcpSender((socket) => socket.write(flight));

    const { body } = await test({ url: sender.url }, 'A2');

    expect(body).toEqual({
      ...{ picture: null, name: null, mark: null, klv: false, video: null },
      problem: 'The security mark of the stream is above your clearance',
    });
  });

  it('says that a picture cannot be decoded', async () => {
    const failed = sourceTest({
      configuration: { current: async () => [] },
      box: secretBox(Buffer.alloc(32)),
      checkSource: async () => ({ problem: null, warning: null }),
      probe: async () => ({ error: null, video: null, klv: false, designation: null, rank: null, packets: 'Rw==' }),
      pictureAt: () => Promise.reject(new DecoderError('No picture could be made', '')),
      licence: () => ({ options: new Set(['live'] as const) }),
      log: pino({ level: 'silent' }),
    });
    const actor = { clearance: 'SECRET' } as Actor;

    const { result } = await failed(actor, { url: 'tcp://10.1.2.3:5000', from: [] }, new AbortController().signal);

    expect(result).toMatchObject({ picture: null, problem: 'Video arrives, but its first picture cannot be decoded' });
  });

  it('ends with the reason while bytes that are no stream arrive without end', async () => {
    const junk = Buffer.alloc(64 * 1024, 0xab);
    const sender = await tcpSender((socket) => {
      const more = () => {
        while (socket.write(junk));
      };
      socket.on('drain', more);
      more();
    });

    const { body } = await test({ url: sender.url });

    expect(body.problem).toBe('Bytes arrive, but they are not an MPEG transport stream');
    await expect.poll(sender.open).toBe(0);
  });

  it('says that nobody is at the address', async () => {
    const { body } = await test({ url: 'tcp://127.0.0.1:1' });

    expect(body).toMatchObject({ picture: null, problem: 'Nobody answers at 127.0.0.1, port 1' });
  });

  it.each([
    'http://169.254.169.254/latest.ts',
    'tcp://[::1]:5000',
    'tcp://localhost.localdomain.invalid:notaport',
    'file:///etc/passwd',
    'tcp://10.1.2.3',
  ])('is refused as saving %s is', async (url) => {
    const sensors = [{ name: 'EO', url }];
    const saved = await askAs(server, 'SA').post<Answer>('/api/platforms', { name: 'X', usergroups: ['G1'], sensors });

    const { status, body } = await test({ url });

    expect(status).toBe(422);
    expect(saved.status).toBe(422);
    expect(saved.body.text).toContain(body.text.replace(/^.*?: /, ''));
  });

  it('is for those who may add platforms', async () => {
    const url = 'tcp://127.0.0.1:1';
    const statusOf = async (by: Subject) => (await test({ url }, by)).status;

    expect([await statusOf('SA'), await statusOf('A2')]).toEqual([200, 200]);
    for (const by of ['GA', 'U1', 'U2', 'U0', 'guest'] as const) expect(await statusOf(by)).toBe(403);
  });

  it('keeps a stored password for its own host alone', async () => {
    const sender = await tcpSender(() => undefined);
    const port = new URL(sender.url.replace('tcp', 'http')).port;
    const sensors = [{ name: 'EO', url: `http://cam:hush@127.0.0.1:${port}/live.ts` }];
    const config = { name: 'KEA-3', securityClassification: 'UNCLASSIFIED', usergroups: ['G1'], sensors };
    const { body: made } = await askAs(server, 'SA').post<{ _id: string }>('/api/platforms', config);
    const stored = { platform: made._id, sensor: 'EO' };

    const elsewhere = await test({ url: 'http://cam:***@10.9.9.9/live.ts', stored });
    const without = await test({ url: `http://cam:***@127.0.0.1:${port}/live.ts` });

    expect([elsewhere.status, without.status]).toEqual([422, 422]);
    expect(elsewhere.body.text).toContain('write the password again');
    await askAs(server, 'SA').delete(`/api/platforms/${made._id}`);
  });

  it('ends when the caller leaves', async () => {
    const sender = await tcpSender(() => undefined);
    const leaving = new AbortController();
    const { port } = server.app.server.address() as { port: number };
    const asking = fetch(`http://127.0.0.1:${port}/api/platforms/source-test`, {
      method: 'POST',
      headers: { ...server.headersOf('SA'), 'content-type': 'application/json' },
      body: JSON.stringify({ url: sender.url }),
      signal: leaving.signal,
    });
    await expect.poll(sender.open).toBe(1);

    leaving.abort();

    await expect(asking).rejects.toThrow('aborted');
    await expect.poll(sender.open).toBe(0);
  });
});
