import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lossyRelay } from '../../../../../tools/test-support/lossy-relay.ts';
import { sendPaced } from '../../../../../tools/test-support/paced-sender.ts';
import { testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { pipeline } from '../stream/pipeline.ts';

const PORT = 23_000 + (process.pid % 500);
const CHUNK = 1316;
const RTP_HEAD = 12;
const sample = () => readFileSync(testData('ts/kwiver/h264_klv.ts'));

/** A pipeline that counts what it reads. */
function reader() {
  const seen = { pictures: 0, klv: 0, bytes: 0 };
  const reading = pipeline({
    online: () => undefined,
    unit: () => {
      seen.pictures += 1;
    },
    packets: (bytes) => {
      seen.bytes += bytes.length;
    },
    klv: () => {
      seen.klv += 1;
    },
    changed: () => undefined,
  });
  return { seen, reading };
}

async function sender() {
  const socket = createSocket('udp4');
  socket.bind(0);
  await once(socket, 'listening');
  atEnd(() => new Promise<void>((done) => socket.close(done)));
  return (bytes: Uint8Array, port: number) =>
    new Promise<void>((done) => socket.send(bytes, port, '127.0.0.1', () => done()));
}

const percent = (share: number) => `${share * 100} %`;

/** Prints the loss that a fault caused. */
const said = (text: string) => process.stdout.write(`bad network: ${text}\n`);

/** Numbers that are missing between the first and the last. */
function gapsOf(datagrams: readonly Buffer[]): number {
  const sequences = datagrams.map((bytes) => bytes.readUInt16BE(2));
  return sequences.at(-1)! - sequences[0]! + 1 - sequences.length;
}

describe.skipIf(testDataFolder === null)('over a bad network', () => {
  async function rtpArrives(loss: number) {
    const source = await openedSource(`rtp://127.0.0.1:${PORT}`);
    const passed: Buffer[] = [];
    const relay = await lossyRelay({ to: PORT, seed: 11, loss, duplicates: 0.03, reorder: 0.05 }, (bytes) => {
      passed.push(Buffer.from(bytes));
    });

    const from = await sendPaced({ bytes: sample(), port: relay.port, rtp: true, rounds: 4, speed: 2 });
    await from.done;
    await expect.poll(() => relay.counts().received).toBe(from.sent().datagrams);

    const payload = () => Buffer.concat(passed.map((bytes) => bytes.subarray(RTP_HEAD)));
    await source.until(payload().length);
    await relay.close();
    expect(source.bytes().equals(payload())).toBe(true);
    const { lost, reordered, jitterMs } = source.counts();
    expect(lost).toBe(gapsOf(passed));
    expect(reordered).toBe(relay.counts().reordered);
    expect(relay.counts().dropped).toBeGreaterThan(0);
    expect(jitterMs).toBeGreaterThan(0);
    const { seen, reading } = reader();
    reading.push(source.bytes(), 0);
    reading.flush();
    expect(seen.pictures).toBeGreaterThan(0);
    const { received, dropped } = relay.counts();
    said(`RTP, ${percent(loss)} lost: ${dropped} of ${received} datagrams, all counted; ${reordered} put in order`);
  }

  const rtp = 'RTP with %d lost, some doubled and reordered arrives as it was let through';
  it.each([0.05])(rtp, rtpArrives);
  it.each([0.01, 0.2])(rtp, { tags: 'long' }, rtpArrives);

  async function packetsArrive(loss: number) {
    const source = await openedSource(`udp://127.0.0.1:${PORT}`);
    const passed: Buffer[] = [];
    const relay = await lossyRelay({ to: PORT, seed: 12, loss }, (bytes) => {
      passed.push(Buffer.from(bytes));
    });

    const from = await sendPaced({ bytes: sample(), port: relay.port, rounds: 4, speed: 2 });
    await from.done;
    await expect.poll(() => relay.counts().received).toBe(from.sent().datagrams);

    await source.until(Buffer.concat(passed).length);
    await relay.close();
    expect(source.bytes().equals(Buffer.concat(passed))).toBe(true);
    expect(source.counts().lost).toBeGreaterThan(0);
    expect(source.counts().lost).toBeLessThanOrEqual(relay.counts().dropped * 7);
    const { received, dropped } = relay.counts();
    const packets = `${source.counts().lost} of ${dropped * 7} lost packets seen`;
    said(`bare packets, ${percent(loss)} lost: ${dropped} of ${received} datagrams, ${packets}`);
  }

  const bare = 'bare packets with %d lost arrive as they were let through';
  it.each([0.05])(bare, packetsArrive);
  it.each([0.01, 0.2])(bare, { tags: 'long' }, packetsArrive);

  it('a sender that is killed and comes back is received without opening the source again', async () => {
    const source = await openedSource(`rtp://127.0.0.1:${PORT}`);
    const first = await sendPaced({ bytes: sample(), port: PORT, rtp: true, rounds: 50 });
    await source.until(CHUNK * 20);
    await first.stop();
    await source.until(first.sent().bytes);

    const second = await sendPaced({ bytes: sample(), port: PORT, rtp: true, rounds: 50 });
    await source.until(first.sent().bytes + CHUNK * 20);
    await second.stop();

    await source.until(first.sent().bytes + second.sent().bytes);
    expect(source.counts().lost).toBe(0);
    expect(source.problems).toEqual([null]);
    said(`a sender killed and back: none of ${source.size()} bytes lost`);
  });
});

describe.skipIf(testDataFolder === null)('streams that are broken', () => {
  /** Damages by a seed: flips bytes, shortens a datagram, cuts a piece out. */
  function mutated(bytes: Buffer, seed: number): Buffer {
    const copy = Buffer.from(bytes);
    for (let n = 0; n < copy.length / 400; n += 1) {
      const at = (Math.imul(seed + n, 2_654_435_761) >>> 0) % copy.length;
      copy[at] = (copy[at]! + 1 + (n & 0x7f)) & 0xff;
    }
    const cut = (Math.imul(seed, 40_503) >>> 0) % Math.max(1, copy.length);
    return seed % 3 === 0 ? Buffer.concat([copy.subarray(0, cut), copy.subarray(cut + 101)]) : copy;
  }

  it('throw nowhere when they are fed live, and a neighbour loses nothing', async () => {
    const good = await openedSource(`udp://127.0.0.1:${PORT}`);
    const bad = await openedSource(`udp://127.0.0.1:${PORT + 1}`);
    const neighbour = await sendPaced({ bytes: sample(), port: PORT, rounds: 1000 });
    const send = await sender();
    const folder = testData('bad/ts');
    const files = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`).subarray(0, 200_000));
    const wrong = [...files, ...[1, 2, 3, 4, 5, 6].map((seed) => mutated(sample(), seed)), Buffer.alloc(50_000, 0x47)];

    let fed = 0;
    for (const bytes of wrong) {
      for (let at = 0; at < bytes.length; at += CHUNK) {
        await send(bytes.subarray(at, at + CHUNK), PORT + 1);
        // The buffer of the socket holds some hundred datagrams: they are taken before more come.
        if (at % (32 * CHUNK) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      }
      // Each is a stream of its own to who reads it, and the next one follows on the same socket.
      const { reading } = reader();
      reading.push(bad.bytes().subarray(fed), fed);
      reading.flush();
      fed = bad.size();
    }
    const all = reader();
    for (const part of bad.parts) all.reading.push(part, 0);
    all.reading.flush();
    await neighbour.stop();
    await good.until(neighbour.sent().bytes);
    expect(good.size()).toBe(neighbour.sent().bytes);
    expect(good.counts()).toMatchObject({ lost: 0, refused: 0 });
    expect(bad.counts().refused).toBeGreaterThan(0);
    said(`broken streams: none of the ${good.size()} bytes of a neighbour lost`);
    expect(all.seen.pictures).toBeGreaterThan(0);
  });

  it('a flood of 200 Mbit/s is cut, and a neighbour loses nothing', async () => {
    const good = await openedSource(`rtp://127.0.0.1:${PORT}`);
    const flooded = await openedSource(`udp://127.0.0.1:${PORT + 1}`);
    const neighbour = await sendPaced({ bytes: sample(), port: PORT, rtp: true, rounds: 1000 });
    const send = await sender();
    const datagram = sample().subarray(0, CHUNK * 40);
    const begun = performance.now();
    let sentBytes = 0;

    // At least 20 MB, and on a slow machine until more than the limit was really read.
    while (sentBytes < 20_000_000 || (flooded.counts().refused === 0 && performance.now() - begun < 20_000)) {
      await send(datagram, PORT + 1);
      sentBytes += datagram.length;
      // 25 bytes a microsecond are 200 Mbit/s.
      const aheadMs = sentBytes / 25_000 - (performance.now() - begun);
      if (aheadMs > 5) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    }
    await neighbour.stop();

    await good.until(neighbour.sent().bytes);
    expect(good.counts().lost).toBe(0);
    expect(flooded.counts().refused).toBeGreaterThan(0);
    expect(flooded.size()).toBeGreaterThan(0);
    const seconds = (performance.now() - begun) / 1000;
    expect(flooded.size()).toBeLessThan(12_500_000 * (seconds + 1));
    said(`a flood: ${flooded.size()} of its ${sentBytes} bytes taken, none of the ${good.size()} of a neighbour lost`);
  });
});
