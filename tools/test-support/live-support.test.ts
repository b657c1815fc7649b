import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createDemuxer } from '@osprey/mpegts';
import { expect, it } from 'vitest';
import { endlessStream, scheduleOf } from './endless-stream.ts';
import { lossyRelay } from './lossy-relay.ts';
import { sendPaced } from './paced-sender.ts';
import { itWithData, testData } from './test-data.ts';

const SAMPLE = 'ts/kwiver/h264_klv.ts';

async function receiver() {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (bytes) => received.push(bytes));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { received, port: socket.address().port, close: () => new Promise<void>((done) => socket.close(done)) };
}

itWithData('a recording is sent by its own clock, whole and counted', async () => {
  const bytes = readFileSync(testData(SAMPLE));
  const to = await receiver();
  const due = scheduleOf(bytes).dueTicks.at(-1)! / 90_000 / 2;
  const begun = performance.now();

  const sender = await sendPaced({ bytes, port: to.port, speed: 2 });
  // A timer is late with what holds the machine up, as the sender is.
  const late = new Promise((resolve) => setTimeout(resolve, due * 1000 + 500)).then(() => 'late');
  const first = await Promise.race([sender.done.then(() => 'sent'), late]);
  const seconds = (performance.now() - begun) / 1000;

  await expect.poll(() => to.received.length).toBe(sender.sent().datagrams);
  expect(Buffer.concat(to.received).equals(bytes)).toBe(true);
  expect(sender.sent().bytes).toBe(bytes.length);
  expect(first).toBe('sent');
  expect(seconds).toBeGreaterThan(due * 0.95);
  await to.close();
});

itWithData('a recording goes round without a jump of its clock and without a gap in its counters', () => {
  const bytes = readFileSync(testData(SAMPLE));
  const roundAt = endlessStream(bytes);
  const runs = new Set<number>();
  const faults: string[] = [];
  let pictures = 0;
  const demuxer = createDemuxer({
    accessUnit: ({ kind, run }) => {
      if (kind !== 'h264') return;
      pictures += 1;
      runs.add(run);
    },
    fault: ({ kind }) => faults.push(kind),
  });

  for (let round = 0; round < 5; round += 1) demuxer.push(roundAt(round));
  const { faults: counted } = demuxer.end();

  expect(pictures % 5).toBe(0);
  expect(runs).toEqual(new Set([0]));
  expect(counted.continuityErrors).toBe(0);
});

it('the relay loses, doubles and reorders by its seed, and counts it', async () => {
  async function run() {
    const to = await receiver();
    const passed: string[] = [];
    const relay = await lossyRelay({ to: to.port, seed: 7, loss: 0.2, duplicates: 0.1, reorder: 0.1 }, (bytes) =>
      passed.push(String(bytes)),
    );
    const socket = createSocket('udp4');
    for (let n = 0; n < 300; n += 1) {
      await new Promise((done) => socket.send(`datagram ${n}`, relay.port, '127.0.0.1', done));
      if (n % 20 === 0) await expect.poll(() => relay.counts().received).toBe(n + 1);
    }
    await expect.poll(() => relay.counts().received).toBe(300);
    const { received: _, ...counts } = relay.counts();
    const expected = 300 - counts.dropped + counts.duplicated;
    await expect.poll(() => to.received.length).toBe(expected);
    await Promise.all([relay.close(), to.close(), new Promise<void>((done) => socket.close(() => done()))]);
    return { passed, counts, arrived: new Set(to.received.map(String)) };
  }

  const [first, second] = [await run(), await run()];

  expect(first.passed).toEqual(second.passed);
  expect(first.counts.dropped).toBe(second.counts.dropped);
  expect(first.counts.dropped).toBeGreaterThan(30);
  expect(first.counts.duplicated).toBeGreaterThan(10);
  expect(first.counts.reordered).toBeGreaterThan(5);
  expect(first.arrived).toEqual(new Set(first.passed));
});
