import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { recordingOf } from '../../test/orders.ts';
import { flightStream } from '../../test/transport.ts';
import { readConfig } from '../base/config/config.ts';
import { originalKey } from '../base/storage/originals.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import type { PlatformOrder, Recording, SourceOrder, SourceState } from '../recorder-wire/protocol.ts';
import { composeRecorder } from './recorder.ts';

const PORT = 23_400 + (process.pid % 500);
const DATAGRAM = 188 * 7;
/** As in recorder/sources/rate-limit.ts. */
const LIMIT_BYTES_A_SECOND = 12_500_000;
const BURST_SECONDS = 0.5;
/** Large datagrams of the flood for each one of the good streams, and after how many of these all are read. */
const FLOOD_EACH = 60;
const READ_EACH = 6;
const log = pino({ level: 'silent' });

async function startRecorder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-flood-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const recorder = await composeRecorder({ config: readConfig({ OSPREY_DATA: dataDir }), log, onEnd: () => undefined });
  atEnd(() => recorder.close());
  await recorder.start();
  const states = new Map<string, SourceState>();
  const media = new Map<string, Buffer[]>();
  const recordings = new Map<string, Recording>();
  const client = recorderClient({
    dataDir,
    log,
    onMessage(message) {
      if (message.kind === 'source') states.set(message.source.sensorId, message.source);
      if (message.kind === 'recording') recordings.set(message.recording.missionId, message.recording);
    },
    onMedia: ({ sensorId, packets }) => media.set(sensorId, [...(media.get(sensorId) ?? []), packets]),
  });
  atEnd(() => client.close());
  await expect.poll(client.connected).toBe(true);
  return { dataDir, client, states, media, recordings };
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

it('T-086 a stream that floods, recorded in parallel to three good ones, gets no more than its limit, and the good ones lose no packet', async () => {
  const { dataDir, client, states, media, recordings } = await startRecorder();
  const sources = [0, 1, 2, 3].map((n) => source(PORT + n));
  const [flooding, ...good] = sources as [SourceOrder, ...SourceOrder[]];
  const platform: PlatformOrder = {
    ...{ platformId: randomUUID(), name: 'KEA-1', description: '', type: 'Plane', color: '#22CCDD' },
    ...{ classification: 1, marked: true, audience: 'everyone', usergroups: [], priority: 1, sensors: sources },
    record: { onPresence: false, schedule: [], preRollSeconds: 0 },
  };
  client.order({ platforms: [platform] });
  const recording = recordingOf(platform, Date.now() * 1000);
  const { missionId } = recording;
  for (const { sensorId } of good) client.watch(sensorId);
  await expect.poll(() => states.size).toBe(4);
  expect(await client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
  const bytes = flightStream({ pictures: 120 });
  // Sends the tables and then stuffing packets, as an encoder does that is set to far too high a constant rate.
  const stuffing = Buffer.alloc(188, 0xff);
  stuffing.writeUInt32BE(0x471f_ff10);
  const large = Buffer.concat([bytes.subarray(0, 2 * 188), ...Array<Buffer>(46 * 7).fill(stuffing)]);
  const send = sender();

  // As much as the machine can do: the kernel drops what is not read in time, the recorder what is above the limit.
  const begunMs = performance.now();
  let floodBytes = 0;
  for (let at = 0; at < bytes.length; at += DATAGRAM) {
    for (const n of [1, 2, 3]) await send(PORT + n, bytes.subarray(at, at + DATAGRAM));
    for (let i = 0; i < FLOOD_EACH; i++) await send(PORT, large);
    floodBytes += FLOOD_EACH * large.length;
    // A datagram leaves without a turn of the loop. The recorder shares it, and has some to read in.
    if (at % (READ_EACH * DATAGRAM) === 0) await setImmediate();
  }
  const sentSeconds = (performance.now() - begunMs) / 1000;
  const timesLimit = floodBytes / sentSeconds / LIMIT_BYTES_A_SECOND;
  expect(timesLimit).toBeGreaterThan(10);

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
  const flooded = () => states.get(flooding.sensorId)!;
  await expect.poll(() => flooded().refused).toBeGreaterThan(0);
  const takenBytes = flooded().bytes;
  const seconds = (performance.now() - begunMs) / 1000;
  expect(takenBytes).toBeGreaterThan(large.length);
  expect(takenBytes).toBeLessThanOrEqual((seconds + BURST_SECONDS) * LIMIT_BYTES_A_SECOND);

  expect(await client.request({ kind: 'stop', missionId, sensors: null })).toBeNull();
  await expect.poll(() => recordings.get(missionId)?.state).toBe('stopped');
  for (const { liveSensorId, sensorId, files } of recordings.get(missionId)!.sensors) {
    if (liveSensorId === flooding.sensorId) continue;
    const read = files.map(({ fileId }) => readFile(join(dataDir, 'files', originalKey(sensorId, fileId))));
    const recorded = Buffer.concat(await Promise.all(read));
    expect([files.length, recorded.equals(bytes)]).toEqual([1, true]);
  }
  const mib = (size: number) => Math.round(size / 1024 ** 2);
  process.stdout.write(
    `T-086: ${mib(takenBytes)} MiB taken of a flood of ${Math.round(timesLimit)} times the limit, no packet of three recordings beside it lost\n`,
  );
});
