import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sendPaced } from '../../../../../tools/test-support/paced-sender.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';

/** 600 in a soak. */
const SECONDS = Number(process.env.OSPREY_SOAK_SECONDS ?? 10);
const STREAMS = 8;
const BITS_PER_SECOND = 6e6;
const ROUND_SECONDS = 10;
const FIRST_PORT = 27_000 + (process.pid % 400) * STREAMS;
const GROWTH_MAX_KIB = 64 * 1024;

vi.setConfig({ testTimeout: 120_000 + SECONDS * 2000 });

const residentKib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** Packets whose continuity counter does not follow that of the one before of their PID. */
function gapsOf(bytes: Buffer): number {
  const counters = new Map<number, number>();
  let gaps = 0;
  for (let at = 0; at < bytes.length; at += 188) {
    const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
    const counter = bytes[at + 3]! & 0x0f;
    const before = counters.get(pid);
    if ((bytes[at + 3]! & 0x10) !== 0 && before !== undefined && counter !== ((before + 1) & 0x0f)) gaps += 1;
    counters.set(pid, counter);
  }
  return gaps;
}

it(`records ${STREAMS} streams of 6 Mbit/s for ${SECONDS} s without a lost packet and in steady memory (T-079 T-086)`, async () => {
  const platforms = Array.from({ length: STREAMS }, (_, n) =>
    platformOrder({ n, sensors: 1, url: () => `udp://127.0.0.1:${FIRST_PORT + n}` }),
  );
  const recorder = await recorderProcess(platforms);
  const recordings = platforms.map((platform) => recordingOf(platform, Date.now() * 1000));
  for (const recording of recordings) {
    expect(await recorder.client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
  }
  const bytes = flightBytes({ seconds: ROUND_SECONDS, bitsPerSecond: BITS_PER_SECOND });
  const senders = await Promise.all(
    platforms.map((_, n) => sendPaced({ bytes, port: FIRST_PORT + n, rounds: Math.ceil(SECONDS / ROUND_SECONDS) })),
  );
  for (const sender of senders) atEnd(() => sender.stop());
  // Once all buffers are there and warm.
  await new Promise((done) => setTimeout(done, (SECONDS * 1000) / 2));
  const warm = residentKib(recorder.pid());
  await Promise.all(senders.map(({ done }) => done));
  // Packets under way arrive, and the last picture is known to be whole after a pause.
  await vi.waitFor(
    () => {
      for (const { missionId } of recordings) {
        expect(recorder.recordings.get(missionId)!.sensors[0]!.files[0]!.endedUs).not.toBeNull();
      }
    },
    { timeout: 20_000 },
  );
  const grown = residentKib(recorder.pid()) - warm;
  for (const { missionId } of recordings) await recorder.client.request({ kind: 'stop', missionId, sensors: null });

  for (const [n, { missionId, sensors }] of recordings.entries()) {
    const { files } = recorder.recordings.get(missionId)!.sensors[0]!;
    expect(files).toMatchObject([{ indexed: true, suspect: false }]);
    const file = await readFile(
      join(recorder.dataDir, 'files/originals', sensors[0]!.sensorId, `${files[0]!.fileId}.ts`),
    );
    expect(file.length).toBe(senders[n]!.sent().bytes);
    expect(gapsOf(file)).toBe(0);
  }
  expect(recorder.errors).toEqual([]);
  expect(grown).toBeLessThan(GROWTH_MAX_KIB);
  process.stdout.write(`soak: ${SECONDS} s, ${STREAMS} streams, ${warm} KiB half-way, ${grown} KiB more at the end\n`);
});
