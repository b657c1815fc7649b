import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { flightStream } from '../../test/transport.ts';
import { readConfig } from '../config.ts';
import { recorderClient } from '../live/client.ts';
import type { SourceOrder, SourceState } from '../live/protocol.ts';
import { composeRecorder } from './recorder.ts';

const PORT = 23_400 + (process.pid % 500);
const DATAGRAM = 188 * 7;
/** Of live/sources/rate-limit.ts. */
const LIMIT_BYTES_A_SECOND = 12_500_000;
const BURST_SECONDS = 0.5;
const log = pino({ level: 'silent' });

async function startRecorder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-flood-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const recorder = await composeRecorder({ config: readConfig({ OSPREY_DATA: dataDir }), log, onEnd: () => undefined });
  atEnd(() => recorder.close());
  await recorder.start();
  const states = new Map<string, SourceState>();
  const media = new Map<string, Buffer[]>();
  const client = recorderClient({
    dataDir,
    log,
    onMessage(message) {
      if (message.kind === 'source') states.set(message.source.sensorId, message.source);
    },
    onMedia: ({ sensorId, packets }) => media.set(sensorId, [...(media.get(sensorId) ?? []), packets]),
  });
  atEnd(() => client.close());
  await expect.poll(client.connected).toBe(true);
  return { client, states, media };
}

const source = (port: number): SourceOrder => ({
  ...{ sensorId: randomUUID(), name: 'EO', type: 'video', url: `udp://127.0.0.1:${port}` },
  ...{ secret: null, senders: [], on: true },
});

function sender() {
  const socket = createSocket('udp4');
  atEnd(() => socket.close());
  return (port: number, bytes: Uint8Array) =>
    new Promise<void>((done) => socket.send(bytes, port, '127.0.0.1', () => done()));
}

it('T-086 a stream that floods beside three good ones gets no more than its limit, and the good ones lose no packet', async () => {
  const { client, states, media } = await startRecorder();
  const sources = [0, 1, 2, 3].map((n) => source(PORT + n));
  const [flooding, ...good] = sources as [SourceOrder, ...SourceOrder[]];
  client.order({
    platforms: [
      {
        ...{ platformId: randomUUID(), name: 'KEA-1', description: '', type: 'Plane', color: '#22CCDD' },
        ...{ classification: 1, marked: true, audience: 'everyone', usergroups: [], priority: 1, sensors: sources },
        record: { onPresence: false, schedule: [], preRollSeconds: 0 },
      },
    ],
  });
  for (const { sensorId } of good) client.watch(sensorId);
  await expect.poll(() => states.size).toBe(4);
  const bytes = flightStream({ pictures: 120 });
  const large = Buffer.concat(Array.from({ length: 48 }, () => bytes.subarray(0, DATAGRAM)));
  const send = sender();

  // As much as the machine can do: the kernel drops what is not read in time, the recorder what is above the limit.
  const begunMs = performance.now();
  for (let at = 0; at < bytes.length; at += DATAGRAM) {
    for (const n of [1, 2, 3]) await send(PORT + n, bytes.subarray(at, at + DATAGRAM));
    for (let i = 0; i < 12; i++) await send(PORT, large);
  }

  const end = bytes.subarray(-188);
  const received = ({ sensorId }: SourceOrder) => Buffer.concat(media.get(sensorId) ?? []);
  for (const one of good) {
    await expect.poll(() => received(one).subarray(-188).equals(end)).toBe(true);
    const firstPicture = bytes.indexOf(received(one).subarray(2 * 188, 4 * 188));
    expect(
      received(one)
        .subarray(2 * 188)
        .equals(bytes.subarray(firstPicture)),
    ).toBe(true);
    await expect.poll(() => states.get(one.sensorId)).toMatchObject({ state: 'online', lost: 0, refused: 0 });
  }
  const flooded = states.get(flooding.sensorId);
  const seconds = (performance.now() - begunMs) / 1000;
  expect(flooded?.bytes).toBeGreaterThan(large.length);
  expect(flooded?.bytes).toBeLessThanOrEqual((seconds + BURST_SECONDS) * LIMIT_BYTES_A_SECOND);
});
