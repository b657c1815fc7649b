import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { describe, expect, it, vi } from 'vitest';
import { sentences, testAisFiles } from '../../../test/ais-files.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { type TestRecorder, testRecorder } from '../../../test/live-recorder.ts';
import type { Append, Storage } from '../../base/storage/storage.ts';

const GIB = 1024 ** 3;
const AIS_WAIT = { timeout: 10_000 };
const ticksAt = (seconds: number) => 900_000 + seconds * TICKS_PER_SECOND;

async function begin(recorder: TestRecorder, platform = 0): Promise<string> {
  const recording = recorder.recordingOf(recorder.platforms[platform]!);
  await recorder.recordings.record(recording, { preRoll: false });
  return recording.missionId;
}

/** The storage with changed writes of originals. */
const withOriginals =
  (change: (file: Append, key: string) => Partial<Append>) =>
  (real: Storage): Storage => ({
    ...real,
    async append(key) {
      const file = await real.append(key);
      return key.startsWith('originals/') ? { ...file, ...change(file, key) } : file;
    },
  });

const broken = (code: string) => Object.assign(new Error(code), { code });

describe('a disk that fails', () => {
  it('T-081 a sync that fails is believed: the file is suspect, an alarm within 2 s, a new file', async () => {
    let failing = false;
    const storage = withOriginals((file) => ({
      sync: () => (failing ? Promise.reject(broken('EIO')) : file.sync()),
    }));
    const recorder = await testRecorder({ storage });
    const missionId = await begin(recorder);
    const before = flightBytes({ seconds: 2 });
    recorder.receive(before);
    await vi.waitFor(() => expect(recorder.filesOf(missionId)[0]!.sizeBytes).toBe(before.length));
    failing = true;
    const broke = performance.now();
    recorder.receive(flightBytes({ seconds: 1, startTicks: ticksAt(2) }));
    await vi.waitFor(() => expect(recorder.errors()).toHaveLength(1), { timeout: 2000 });
    expect(performance.now() - broke).toBeLessThan(2000);
    failing = false;
    recorder.receive(flightBytes({ seconds: 3, startTicks: ticksAt(3) }));

    await recorder.recordings.stop(missionId, null);

    expect(recorder.errors()[0]).toContain('EO 0 could not be written (EIO)');
    const [one, two] = recorder.filesOf(missionId);
    expect(one).toMatchObject({ suspect: true, indexed: false });
    expect(one!.sha256).toBeUndefined();
    expect(two).toMatchObject({ suspect: false, indexed: true, cause: 'sync' });
    expect(two!.durationSeconds).toBeCloseTo(3, 1);
    expect(recorder.now(missionId).sensors[0]!.error).toContain('may not be whole');
    // Reported sizes never exceed synced bytes.
    const sizes = recorder.messages.flatMap((message) =>
      message.kind === 'recording' ? message.recording.sensors[0]!.files.filter(({ endedUs }) => endedUs === null) : [],
    );
    expect(Math.max(...sizes.filter(({ fileId }) => fileId === one!.fileId).map(({ sizeBytes }) => sizeBytes))).toBe(
      before.length,
    );
    process.stdout.write(
      `T-081: a sync that failed: ${one!.sizeBytes - before.length} bytes of its file not warranted, none before or after them lost\n`,
    );
  });

  it('T-081 a sync of a file of AIS that fails is believed: an alarm within 2 s, a new file, each sentence once', async () => {
    let failing = false;
    const files = await testAisFiles((real) => ({
      ...real,
      async append(key) {
        const file = await real.append(key);
        return { ...file, sync: () => (failing ? Promise.reject(broken('EIO')) : file.sync()) };
      },
    }));
    files.receive(0, 10);
    await vi.waitFor(() => expect(files.said().at(-1)!.sizeBytes).toBeGreaterThan(0), AIS_WAIT);
    failing = true;
    const broke = performance.now();
    files.receive(10, 20);
    await vi.waitFor(() => expect(files.errors()).toHaveLength(1), { timeout: 2000 });
    expect(performance.now() - broke).toBeLessThan(2000);
    failing = false;
    files.receive(20, 30);

    await files.close();

    expect(files.errors()).toEqual(['AIS of sensor AIS could not be written (EIO): the last sentences may be missing']);
    expect(await files.stored()).toEqual([sentences(0, 20), sentences(20, 30)]);
    expect(files.said().filter(({ ended }) => ended)).toHaveLength(2);
  });

  it('T-084 a disk that is full ends a file of AIS, says so once, and has the sentences after it in the next', async () => {
    let isFull = false;
    const files = await testAisFiles((real) => ({
      ...real,
      async append(key) {
        const file = await real.append(key);
        const half = async (bytes: Uint8Array) => {
          await file.write(bytes.subarray(0, Math.floor(bytes.length / 2) + 5));
          throw broken('ENOSPC');
        };
        return { ...file, write: (bytes) => (isFull ? half(bytes) : file.write(bytes)) };
      },
    }));
    files.receive(0, 10);
    await vi.waitFor(() => expect(files.said().at(-1)!.sizeBytes).toBeGreaterThan(0), AIS_WAIT);
    isFull = true;
    files.receive(10, 13);
    await vi.waitFor(() => expect(files.said().filter(({ ended }) => ended)).toHaveLength(1), AIS_WAIT);
    files.receive(13, 14);
    await vi.waitFor(() => expect(files.said().filter(({ ended }) => ended)).toHaveLength(2), AIS_WAIT);
    isFull = false;
    let next = 100;
    // The disk is asked again after half a second.
    await vi.waitFor(() => {
      files.receive(next, next + 1);
      next += 1;
      expect(files.said().at(-1)).toMatchObject({ ended: false, sizeBytes: expect.toSatisfy((size) => size > 0) });
    }, AIS_WAIT);

    await files.close();

    expect(files.errors()).toEqual(['disk full: AIS of sensor AIS is not kept until there is room']);
    const [before, during, after] = await files.stored();
    expect(before).toEqual(sentences(0, before!.length));
    expect(before!.length).toBeGreaterThanOrEqual(10);
    expect(during).toEqual([]);
    expect(after).toEqual(sentences(next - after!.length, next));
  });

  it('asks a disk that is gone again after a while, not with each packet', async () => {
    let opened = 0;
    const recorder = await testRecorder({
      storage: (real) => ({
        ...real,
        append: (key) => {
          opened += key.startsWith('originals/') ? 1 : 0;
          return Promise.reject(broken('EROFS'));
        },
      }),
    });
    const missionId = await begin(recorder);
    for (let n = 0; n < 50; n += 1) {
      recorder.receive(flightBytes({ seconds: 0.2, startTicks: ticksAt(n * 0.2) }));
      await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(recorder.errors().join()).toContain('packets of EO 0 were not recorded'));

    await recorder.recordings.stop(missionId, null);

    expect(opened).toBeLessThan(4);
    expect(recorder.filesOf(missionId)).toEqual([]);
    expect(recorder.now(missionId).sensors[0]).not.toHaveProperty('overflows');
  });

  it('keeps at most 32 MiB for a disk that does not write, and says what it had to drop', async () => {
    const gate = Promise.withResolvers<void>();
    const storage = withOriginals((file) => ({ write: (bytes) => gate.promise.then(() => file.write(bytes)) }));
    const recorder = await testRecorder({ storage });
    atEnd(gate.resolve);
    const missionId = await begin(recorder);
    const bytes = flightBytes({ seconds: 10, bitsPerSecond: 10_000_000 });
    for (let n = 0; n < 5; n += 1) recorder.receive(bytes);
    expect(5 * bytes.length).toBeGreaterThan(56e6);
    await vi.waitFor(() => expect(recorder.errors().join()).toContain('the disk does not keep up'), {
      timeout: 10_000,
    });

    gate.resolve();
    await recorder.recordings.stop(missionId, null);

    // The clock of the stream restarts each time, so there are several files; they share one bound.
    const sizes = recorder.filesOf(missionId).map(({ sizeBytes }) => sizeBytes);
    const written = sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
    expect(written).toBeGreaterThan(30 * 1024 ** 2);
    expect(written).toBeLessThanOrEqual(32 * 1024 ** 2);
    expect(written % 188).toBe(0);
    const packets = Number(/: (\d+) packets of EO 0 were not recorded/.exec(recorder.errors().join())![1]);
    const received = packets * 188 + written;
    // Tables at the start of a file were received once.
    expect(received - 5 * bytes.length).toBeLessThanOrEqual(2 * 188 * sizes.length);
    expect(received).toBeGreaterThanOrEqual(5 * bytes.length);
    // For the audit.
    const { overflows, state } = recorder.now(missionId).sensors[0]!;
    expect(overflows).toEqual([{ startedUs: expect.any(Number), endedUs: expect.any(Number), packets }]);
    expect(state).toBe('stopped');
    process.stdout.write(`a disk that stood still: ${packets} packets beyond 32 MiB not recorded, and said\n`);
  });

  it('records on when the index cannot be written, for ingest to make it', async () => {
    const recorder = await testRecorder({
      storage: (real) => ({
        ...real,
        append: (key) => (key.startsWith('indexes/') ? Promise.reject(broken('EIO')) : real.append(key)),
      }),
    });
    const missionId = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 2 }));

    await recorder.recordings.stop(missionId, null);

    expect(recorder.filesOf(missionId)).toMatchObject([{ indexed: false, suspect: false }]);
  });
});

describe('a disk that fills', () => {
  it('T-084 below the floor recordings end whole, the least priority first, and none begins', async () => {
    let freeBytes = 50 * GIB;
    const storage = (real: Storage): Storage => ({
      ...real,
      space: async () => ({ freeBytes, totalBytes: 100 * GIB }),
    });
    const recorder = await testRecorder({ storage, platforms: 3 });
    const missions = [await begin(recorder, 0), await begin(recorder, 1), await begin(recorder, 2)];
    for (const platform of [0, 1, 2]) recorder.receive(flightBytes({ seconds: 2 }), { platform });
    const stopped = () => missions.filter((id) => recorder.now(id).state === 'stopped');
    freeBytes = 0.4 * GIB;
    const seen = new Set<number>();
    await vi.waitFor(
      () => {
        seen.add(stopped().length);
        expect(stopped()).toHaveLength(3);
      },
      { timeout: 10_000, interval: 20 },
    );

    const ends = missions.map((id) => recorder.now(id).endedUs!);
    expect([...seen]).toEqual([0, 1, 2, 3]);
    expect(ends[2]!).toBeLessThan(ends[1]!);
    expect(ends[1]!).toBeLessThan(ends[0]!);
    expect(recorder.errors().filter((info) => info === 'disk full')).toHaveLength(3);
    for (const id of missions) {
      expect(recorder.now(id).stopReason).toBe('disk full');
      expect(recorder.filesOf(id)).toMatchObject([{ indexed: true, suspect: false, durationSeconds: 2 }]);
    }
    const late = recorder.recordingOf(recorder.platforms[0]!);
    await expect(recorder.recordings.record(late, { preRoll: false })).rejects.toThrow('The disk is full');
    freeBytes = 50 * GIB;
    await vi.waitFor(() => recorder.recordings.record(late, { preRoll: false }), { timeout: 5000 });
    process.stdout.write('T-084: 3 recordings ended below the floor, nothing lost of what came before\n');
  });
});
