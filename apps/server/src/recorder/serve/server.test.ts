import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { type RecorderClient, recorderClient } from '../../recorder-wire/client.ts';
import type { KlvMessage } from '../../recorder-wire/media-messages.ts';
import { jsonMessage, messageReader } from '../../recorder-wire/messages.ts';
import {
  FRAME_MAX,
  type FromRecorder,
  type Hello,
  PROTOCOL,
  type RecordedSegment,
  type ToRecorder,
} from '../../recorder-wire/protocol.ts';
import { recorderSocket } from '../../recorder-wire/socket-path.ts';
import type { Connection } from './connection.ts';
import { type LiveServer, liveServer } from './server.ts';

const log = pino({ level: 'silent' });

const hello = (): Hello => ({
  kind: 'hello',
  protocol: PROTOCOL,
  pid: process.pid,
  hasOrders: false,
  sources: [],
  recordings: [],
  ais: [],
  ring: [],
  segments: [],
});

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-live-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

type Received = { message: ToRecorder; from: Connection };

async function startServer(
  dataDir: string,
  nowMs = () => performance.now(),
  greeting = hello,
): Promise<{ server: LiveServer; received: Received[]; gone: Connection[] }> {
  const received: Received[] = [];
  const gone: Connection[] = [];
  const server = liveServer({
    path: recorderSocket(dataDir),
    hello: greeting,
    onMessage: (message, from) => received.push({ message, from }),
    onGone: (connection) => gone.push(connection),
    log,
    nowMs,
  });
  await server.listen();
  atEnd(() => server.close());
  return { server, received, gone };
}

function startClient(dataDir: string, said: FromRecorder[], klv: KlvMessage[] = []): RecorderClient {
  const client = recorderClient({
    dataDir,
    onMessage: (message) => said.push(message),
    onKlv: (frame) => klv.push(frame),
    log,
  });
  atEnd(async () => client.close());
  return client;
}

describe('frames', () => {
  it('come out the same however the bytes are cut', () => {
    const frames = [jsonMessage({ a: 1 }), jsonMessage({ long: 'x'.repeat(5000) }), jsonMessage(null)];
    const bytes = Buffer.concat(frames);
    for (const size of [1, 3, 5, 7, 1000, bytes.length]) {
      const out: unknown[] = [];
      const read = messageReader((_kind, payload) => out.push(JSON.parse(payload.toString())));
      for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));

      expect(out).toEqual([{ a: 1 }, { long: 'x'.repeat(5000) }, null]);
    }
  });

  it('are refused where a length cannot be', () => {
    const read = messageReader(() => undefined);

    expect(() => read(Buffer.from([0xff, 0xff, 0xff, 0xff, 0]))).toThrow();
  });
});

describe('the socket of the recorder', () => {
  it('is for its own account alone', async () => {
    const dataDir = await folder();
    await startServer(dataDir);
    const path = recorderSocket(dataDir);

    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
  });

  it('uses a short folder if the path of the data is too long for a socket', async () => {
    const dataDir = join(await folder(), 'x'.repeat(120));
    await startServer(dataDir);
    const path = recorderSocket(dataDir);
    atEnd(() => rm(join(path, '..'), { recursive: true, force: true }));

    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(107);
    expect((await stat(path)).isSocket()).toBe(true);
  });

  it('greets, answers requests, and gives telemetry to everybody', async () => {
    const dataDir = await folder();
    const { server, received } = await startServer(dataDir);
    const said: FromRecorder[] = [];
    const klv: KlvMessage[] = [];
    const client = startClient(dataDir, said, klv);
    const sensorId = randomUUID();
    await expect.poll(() => said.map(({ kind }) => kind)).toEqual(['hello']);

    const answer = client.request({ kind: 'stop', missionId: sensorId, sensors: null });
    await expect.poll(() => received.length).toBe(1);
    const { message, from } = received[0]!;
    if (message.kind === 'stop') from.send({ kind: 'answer', request: message.request, error: 'No such recording.' });
    server.klv(sensorId, {
      bytes: Uint8Array.of(6, 14, 43, 52),
      ptsTicks: 2 ** 33 + 90,
      arrivalUs: 1_700_000_000_000_001,
      pid: 258,
    });

    expect(await answer).toBe('No such recording.');
    await expect
      .poll(() => klv)
      .toEqual([
        { sensorId, arrivalUs: 1_700_000_000_000_001, ptsTicks: 90, pid: 258, klv: Buffer.from([6, 14, 43, 52]) },
      ]);
  });

  it('greets with more segments than a frame or a queue holds, and what happens meanwhile comes after them', async () => {
    const dataDir = await folder();
    const [missionId, sensorId, fileId] = [randomUUID(), randomUUID(), randomUUID()];
    const segments = Array.from({ length: 260_000 }, (_, n): RecordedSegment => {
      const place = { offset: n * 500_000, sizeBytes: 500_000, startUs: 1_790_000_000_000_000 + n * 2_000_000 };
      return { missionId, sensorId, fileId, n, ...place, durationSeconds: 2, discontinuity: false };
    });
    expect(JSON.stringify(segments).length).toBeGreaterThan(FRAME_MAX);
    const { server } = await startServer(dataDir, undefined, () => ({ ...hello(), segments }));
    const said: FromRecorder[] = [];
    const client = startClient(dataDir, said);
    await expect.poll(server.connections).toBe(1);
    expect(client.connected()).toBe(false);
    server.send({ kind: 'sourceGone', sensorId });

    await expect.poll(() => said.length).toBe(2);

    expect(said[0]!.kind === 'hello' && said[0]!.segments.map(({ n }) => n)).toEqual(segments.map(({ n }) => n));
    expect(said[1]).toEqual({ kind: 'sourceGone', sensorId });
  });

  it('is found again by itself, and is sent the wanted orders and watchers again', async () => {
    const dataDir = await folder();
    const sensorId = randomUUID();
    const said: FromRecorder[] = [];
    const client = startClient(dataDir, said);
    expect(await client.request({ kind: 'stop', missionId: sensorId, sensors: null })).toBe(
      'The recorder does not run.',
    );
    client.order({ platforms: [] });
    client.watch(sensorId);
    client.watch(sensorId);

    const first = await startServer(dataDir);
    await expect
      .poll(() => first.received.map(({ message }) => message))
      .toEqual([
        { kind: 'orders', orders: { platforms: [] } },
        { kind: 'watch', sensorId },
      ]);
    client.unwatch(sensorId);
    first.received[0]!.from.close();
    await expect.poll(() => first.received.length).toBe(4);
    client.unwatch(sensorId);

    await expect.poll(() => first.received.at(-1)?.message).toEqual({ kind: 'unwatch', sensorId });
    expect(said.map(({ kind }) => kind)).toEqual(['hello', 'hello']);
  });

  it('cuts who says what it does not understand', async () => {
    const dataDir = await folder();
    const { gone } = await startServer(dataDir);
    const socket = connect(recorderSocket(dataDir));
    socket.on('error', () => undefined);
    socket.write(jsonMessage({ kind: 'format the disk' }));

    await expect.poll(() => gone.length).toBe(1);
  });

  it('cuts a reader that has read nothing for ten seconds, and no other', async () => {
    const dataDir = await folder();
    // A clock twelve times as fast, that there is nothing to wait for.
    const { server, gone } = await startServer(dataDir, () => performance.now() * 12);
    const said: FromRecorder[] = [];
    const client = startClient(dataDir, said);
    await expect.poll(client.connected).toBe(true);
    const stalled = connect(recorderSocket(dataDir));
    stalled.on('error', () => undefined);
    atEnd(() => stalled.destroy());
    await expect.poll(server.connections).toBe(2);

    // Never read: more than the kernel keeps for a socket.
    for (let i = 0; i < 200; i++) {
      server.send({ kind: 'error', info: 'x'.repeat(20_000), platformId: null, missionId: null });
    }
    await expect.poll(() => said.length).toBe(201);

    await expect.poll(() => gone.length).toBe(1);
    expect(client.connected()).toBe(true);
  });
});
