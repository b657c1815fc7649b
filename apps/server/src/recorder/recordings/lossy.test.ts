import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemuxer, createUnitReader, PACKET_SIZE } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import { expect, it, vi } from 'vitest';
import { lossyRelay } from '../../../../../tools/test-support/lossy-relay.ts';
import { sendPaced } from '../../../../../tools/test-support/paced-sender.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { RingSegment, SourceState } from '../../recorder-wire/protocol.ts';

const LOSSES = [0.01, 0.05, 0.2];
const FIRST_PORT = 35_000 + (process.pid % 400) * LOSSES.length;
const FLIGHT = { width: 320, height: 180, fps: 25, gop: 25, seconds: 6, ships: 0 };
const PICTURES = FLIGHT.fps * FLIGHT.seconds;
const RTP_HEAD = 12;
const TABLES_BYTES = 2 * PACKET_SIZE;
const WAIT = { timeout: 30_000, interval: 50 };

/** Number of whole pictures from a key frame on, as a viewer is shown. */
function completePictures(bytes: Uint8Array): number {
  let pictures = 0;
  const reader = createUnitReader({
    unit: () => {
      pictures += 1;
    },
  });
  reader.push(bytes);
  reader.end();
  return pictures;
}

/** Pictures that begin, and the first of them. */
function pictureStarts(bytes: Uint8Array): { count: number; firstIsKey: boolean } {
  const keys: boolean[] = [];
  const demuxer = createDemuxer({ accessUnit: ({ keyframe }) => keys.push(keyframe) });
  demuxer.push(bytes);
  demuxer.end();
  return { count: keys.length, firstIsKey: keys[0] === true };
}

it('what a bad network lets through by RTP is recorded and kept in the ring, in order, and no more is missing', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const platforms = LOSSES.map((_, n) =>
    platformOrder({ n, sensors: 1, url: () => `rtp://127.0.0.1:${FIRST_PORT + n}` }),
  );
  const sources = new Map<string, SourceState>();
  const ring = new Map<string, RingSegment>();
  const recorder = await recorderProcess(platforms, {}, (message) => {
    if (message.kind === 'source') sources.set(message.source.sensorId, message.source);
    if (message.kind === 'ring') ring.set(`${message.segment.sensorId} ${message.segment.n}`, message.segment);
  });
  const flight = join(recorder.dataDir, 'flight.ts');
  await simulateToFile(FLIGHT, flight);
  const bytes = await readFile(flight);
  const recordings = platforms.map((platform) => recordingOf(platform, Date.now() * 1000));
  for (const recording of recordings) {
    expect(await recorder.client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
  }
  const filesOf = (n: number) => recorder.recordings.get(recordings[n]!.missionId)?.sensors[0]?.files ?? [];

  const ways = await Promise.all(
    LOSSES.map(async (loss, n) => {
      const passed: Buffer[] = [];
      const how = { to: FIRST_PORT + n, seed: 21 + n, loss, duplicates: 0.03, reorder: 0.05 };
      const relay = await lossyRelay(how, (datagram) => passed.push(Buffer.from(datagram.subarray(RTP_HEAD))));
      const sender = await sendPaced({ bytes, port: relay.port, rtp: true });
      atEnd(() => sender.stop());
      return { loss, relay, sender, passed };
    }),
  );
  for (const { relay, sender } of ways) {
    await sender.done;
    await vi.waitFor(() => expect(relay.counts().received).toBe(sender.sent().datagrams), WAIT);
    await relay.close();
  }
  for (const n of ways.keys()) {
    await vi.waitFor(() => expect(filesOf(n).at(-1)!.endedUs).toEqual(expect.any(Number)), WAIT);
  }

  for (const [n, { loss, relay, passed }] of ways.entries()) {
    const letThrough = Buffer.concat(passed);
    const { sensorId, liveSensorId } = recordings[n]!.sensors[0]!;
    expect(filesOf(n)).toMatchObject([{ indexed: true, suspect: false }]);
    const recorded = await readFile(join(recorder.dataDir, 'files', originalKey(sensorId, filesOf(n)[0]!.fileId)));
    expect(recorded.equals(letThrough)).toBe(true);
    const { received, dropped, reordered } = relay.counts();
    expect(sources.get(liveSensorId)).toMatchObject({ reordered });

    const inRing = () => [...ring.values()].filter((segment) => segment.sensorId === liveSensorId);
    await vi.waitFor(() => expect(inRing().every(({ done }) => done)).toBe(true), WAIT);
    let ringPictures = 0;
    for (const { n: number, sizeBytes } of inRing()) {
      const segment = await readFile(join(recorder.dataDir, 'live/ring', liveSensorId, `${number}.ts`));
      expect(segment.length).toBe(sizeBytes);
      // After the tables at the start of each.
      expect(letThrough.indexOf(segment.subarray(TABLES_BYTES))).toBeGreaterThanOrEqual(0);
      const { count, firstIsKey } = pictureStarts(segment);
      expect(firstIsKey).toBe(true);
      ringPictures += count;
    }
    const { count } = pictureStarts(recorded);
    expect(ringPictures).toBeGreaterThan(0);
    expect(ringPictures).toBeLessThanOrEqual(count);
    const lost = `${dropped} of ${received} datagrams lost, ${reordered} put in order`;
    const pictures = `${count} of ${PICTURES} pictures recorded, ${completePictures(recorded)} shown, ${ringPictures} in the ring`;
    process.stdout.write(`bad network, ${loss * 100} %: ${lost}, ${pictures}\n`);
  }
  // With a recording goes what the ring holds of it.
  for (const { missionId } of recordings) {
    expect(await recorder.client.request({ kind: 'stop', missionId, sensors: null })).toBeNull();
  }
  expect(recorder.errors).toEqual([]);
});
