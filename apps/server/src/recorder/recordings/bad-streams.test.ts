import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMuxer, type MuxerOptions, PACKET_SIZE } from '@osprey/mpegts';
import { expect, vi } from 'vitest';
import { randomOf } from '../../../../../tools/simulator/src/random.ts';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { fly, placeOf } from '../../../test/flights.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import { picture } from '../../../test/transport.ts';
import { originalKey } from '../../base/storage/originals.ts';

const GOOD_PORT = 33_000 + (process.pid % 400) * 2;
const BAD_PORT = GOOD_PORT + 1;
const DATAGRAM = 7 * PACKET_SIZE;
/** Bytes of one file; the corpus has none whose fault is further in. */
const FED_BYTES = 200_000;
const WAIT = { timeout: 30_000, interval: 50 };

const filesIn = (folder: string) =>
  readdirSync(testData(folder)).map((name): [string, Buffer] => [name, readFileSync(join(testData(folder), name))]);

/** A stream of some pictures with this packet after each, as an encoder sends metadata that it makes wrong. */
function withKlv(klv: Uint8Array): Buffer {
  const written: Uint8Array[] = [];
  const streams: MuxerOptions['streams'] = [
    { pid: 256, kind: 'h264' },
    { pid: 257, kind: 'klvAsync' },
  ];
  const muxer = createMuxer({ streams, write: (bytes) => written.push(bytes.slice()) });
  for (let n = 0; n < 5; n += 1) {
    const ptsTicks = 900_000 + n * 3600;
    muxer.unit({ pid: 256, ptsTicks, keyframe: n === 0, bytes: picture(n === 0, new Uint8Array(200)) });
    muxer.unit({ pid: 257, ptsTicks, bytes: klv });
  }
  muxer.end();
  return Buffer.concat(written);
}

/** Bytes of a good stream turned over by a seed, and a piece of it cut out. */
function mutated(seed: number): Buffer {
  const random = randomOf(seed);
  const bytes = flightBytes({ seconds: 2 });
  for (let n = 0; n < bytes.length / 300; n += 1)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  const cut = Math.floor(random() * bytes.length);
  return Buffer.concat([bytes.subarray(0, cut), bytes.subarray(cut + 1 + Math.floor(random() * 400))]);
}

async function sender() {
  const socket = createSocket('udp4');
  socket.bind(0);
  await once(socket, 'listening');
  atEnd(() => new Promise<void>((done) => socket.close(done)));
  return async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += DATAGRAM) {
      await new Promise<void>((done) =>
        socket.send(bytes.subarray(at, at + DATAGRAM), BAD_PORT, '127.0.0.1', () => done()),
      );
      // The buffer of the other socket holds some hundred datagrams: they are taken before more come.
      if (at % (32 * DATAGRAM) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
}

itWithData(
  'broken streams and broken metadata that are sent live, and recorded, cost a neighbour no packet and the process nothing',
  async () => {
    const [good, bad] = [GOOD_PORT, BAD_PORT].map((port, n) =>
      platformOrder({ n, sensors: 1, url: () => `udp://127.0.0.1:${port}` }),
    );
    const recorder = await recorderProcess([good!, bad!]);
    const pid = recorder.pid();
    const recordings = [good!, bad!].map((platform) => recordingOf(platform, Date.now() * 1000));
    for (const recording of recordings) {
      expect(await recorder.client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
    }
    const sensorOf = (n: number) => recorder.recordings.get(recordings[n]!.missionId)!.sensors[0]!;
    const badState = () => recorder.sources.get(bad!.sensors[0]!.sensorId);
    // All of it is made before sending begins, so that the senders are not delayed by it.
    const corpus: [name: string, bytes: Uint8Array][] = [
      ...filesIn('bad/ts').map(([name, bytes]): [string, Uint8Array] => [name, bytes.subarray(0, FED_BYTES)]),
      ...filesIn('bad/klv').map(([name, bytes]): [string, Uint8Array] => [name, withKlv(bytes)]),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed): [string, Uint8Array] => [`mutation ${seed}`, mutated(seed)]),
      ['nothing but sync bytes', Buffer.alloc(50_000, 0x47)],
    ];
    expect(corpus.length).toBeGreaterThan(50);
    const wellAgain = flightBytes({ seconds: 30 });
    const send = await sender();
    const neighbour = await fly(flightBytes({ seconds: 90, bitsPerSecond: 1e6 }), GOOD_PORT);

    for (const [name, bytes] of corpus) {
      await send(bytes);
      expect([name, recorder.client.connected()]).toEqual([name, true]);
    }

    // After input that was no stream a good one comes through the same source.
    await vi.waitFor(() => expect(['lost', 'offline', 'unknown']).toContain(badState()), WAIT);
    const healed = await fly(wellAgain, BAD_PORT);
    await vi.waitFor(() => expect(badState()).toBe('online'), WAIT);
    await vi.waitFor(() => expect(sensorOf(1).files.at(-1)).toMatchObject({ endedUs: null }), WAIT);
    await vi.waitFor(() => expect(sensorOf(1).files.at(-1)!.durationSeconds).toBeGreaterThan(1), WAIT);
    await Promise.all([neighbour.stop(), healed.stop()]);
    await vi.waitFor(() => expect(sensorOf(0).files.at(-1)!.endedUs).toEqual(expect.any(Number)), WAIT);
    for (const { missionId } of recordings) {
      expect(await recorder.client.request({ kind: 'stop', missionId, sensors: null })).toBeNull();
    }

    expect([recorder.pid(), recorder.client.connected()]).toEqual([pid, true]);
    // In one piece; a sender that a busy machine held up for seconds leaves more files, and nothing between them.
    const { sensorId, files } = sensorOf(0);
    let recordedTo = 0;
    for (const { fileId, indexed, suspect } of files) {
      const bytes = await readFile(join(recorder.dataDir, 'files', originalKey(sensorId, fileId)));
      const { start, end } = placeOf(neighbour.bytes, bytes);
      expect([start, indexed, suspect]).toEqual([recordedTo, true, false]);
      recordedTo = end;
    }
    expect(recordedTo).toBe(neighbour.sentBytes());
    expect(recorder.errors).toEqual([]);
    for (const file of sensorOf(1).files) expect(file.endedUs).toEqual(expect.any(Number));
    process.stdout.write(
      `broken streams: ${corpus.length} of them, none of ${recordedTo} bytes recorded beside them lost\n`,
    );
  },
  120_000,
);
