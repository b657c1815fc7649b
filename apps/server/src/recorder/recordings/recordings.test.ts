import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeSt0601 } from '@osprey/klv';
import { createDemuxer, createMuxer, PACKET_SIZE, TICKS_PER_SECOND } from '@osprey/mpegts';
import { describe, expect, it, vi } from 'vitest';
import { sentences, testAisFiles } from '../../../test/ais-files.ts';
import { flightBytes } from '../../../test/flight.ts';
import { type TestRecorder, testRecorder } from '../../../test/live-recorder.ts';
import { picture } from '../../../test/transport.ts';
import { getJson, readFileIndex, type StoredSegments } from '../../media/index/file-index.ts';
import type { RecordedFile, Recording } from '../../recorder-wire/protocol.ts';

/** Where the muxer puts the program map. */
const TABLE_PID = 0x1000;

async function begin(recorder: TestRecorder, { preRoll = false } = {}): Promise<Recording> {
  const recording = recorder.recordingOf(recorder.platforms[0]!);
  await recorder.recordings.record(recording, { preRoll });
  return recording;
}

async function onlyFile(
  recorder: TestRecorder,
  { missionId }: Recording,
): Promise<{ file: RecordedFile; bytes: Buffer }> {
  const [sensor, ...others] = recorder.now(missionId).sensors;
  expect(others).toEqual([]);
  expect(sensor!.files).toHaveLength(1);
  const [file] = sensor!.files;
  return { file: file!, bytes: await recorder.bytesOf(sensor!.sensorId, file!.fileId) };
}

/** 25 pictures a second with sets of two KLV streams that both hold positions, and the PTS after them. */
function twoPositions({ seconds, startTicks = 900_000 }: { seconds: number; startTicks?: number }) {
  const written: Uint8Array[] = [];
  const streams = [
    { pid: 256, kind: 'h264' as const },
    { pid: 257, kind: 'klvAsync' as const },
    { pid: 258, kind: 'klvAsync' as const },
  ];
  const muxer = createMuxer({ streams, write: (bytes) => written.push(bytes.slice()) });
  for (let n = 0; n < seconds * 25; n += 1) {
    const ptsTicks = startTicks + n * 3600;
    muxer.unit({ pid: 256, ptsTicks, keyframe: n % 25 === 0, bytes: picture(n % 25 === 0, 2000) });
    for (const pid of [257, 258]) muxer.unit({ pid, ptsTicks, bytes: encodeSt0601({ 13: pid - 200, 14: 8 }) });
  }
  muxer.end();
  return { bytes: Buffer.concat(written), ticks: startTicks + seconds * TICKS_PER_SECOND };
}

describe('a recording', () => {
  it('is the bytes as received, from the last key frame before it, with its index when it stops', async () => {
    const recorder = await testRecorder();
    const before = flightBytes({ seconds: 7 });
    recorder.receive(before);
    const recording = await begin(recorder);
    const after = flightBytes({ seconds: 5, startTicks: 900_000 + 7 * TICKS_PER_SECOND });
    recorder.receive(after);

    await recorder.recordings.stop(recording.missionId, null);

    const { file, bytes } = await onlyFile(recorder, recording);
    const sent = Buffer.concat([before, after]);
    expect(bytes.equals(sent.subarray(sent.length - bytes.length))).toBe(true);
    expect(bytes.length).toBeGreaterThan(after.length);
    expect(file).toMatchObject({ sizeBytes: bytes.length, indexed: true, suspect: false, cause: 'start' });
    expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(file.durationSeconds).toBeCloseTo(6, 1);
    const { sensorId } = recorder.now(recording.missionId).sensors[0]!;
    const index = await readFileIndex(recorder.storage, sensorId, file.fileId);
    // The second flight restarts its packet counters; there is no other fault.
    const reasons = ['Packets of the video are missing.'];
    expect(index).toMatchObject({ sizeBytes: bytes.length, reasons });
    expect(recorder.now(recording.missionId)).toMatchObject({ state: 'stopped', stopReason: null });
  });

  it('begins with the tables of its stream, which are not packets that were sent twice', async () => {
    const recorder = await testRecorder();
    // The sender puts its tables right after the pictures that one can begin with.
    const late = (bytes: Buffer) => {
      const packets = Array.from({ length: bytes.length / PACKET_SIZE }, (_, n) =>
        bytes.subarray(n * PACKET_SIZE, (n + 1) * PACKET_SIZE),
      );
      const isTable = (packet: Buffer) => [0, TABLE_PID].includes(packet.readUInt16BE(1) & 0x1fff);
      return Buffer.concat(
        packets.flatMap((packet, n) => {
          if (isTable(packet)) return [];
          const isAfterTables = n > 0 && isTable(packets[n - 1]!);
          return [packet, ...(isAfterTables ? packets.slice(Math.max(0, n - 2), n).filter(isTable) : [])];
        }),
      );
    };
    const stream = late(flightBytes({ seconds: 9 }));
    const half = Math.floor(stream.length / 2 / PACKET_SIZE) * PACKET_SIZE;
    recorder.receive(stream.subarray(0, half));
    const recording = await begin(recorder);
    recorder.receive(stream.subarray(half));
    await recorder.recordings.stop(recording.missionId, null);

    const { bytes } = await onlyFile(recorder, recording);
    const demuxer = createDemuxer({});
    demuxer.push(bytes);
    expect(bytes.readUInt16BE(1) & 0x1fff).toBe(0);
    expect(stream.indexOf(bytes)).toBe(-1);
    expect(demuxer.end().faults).toMatchObject({ duplicates: 0, continuityErrors: 0 });
  });

  it('has what is said of it while it runs in its journal, on the disk', async () => {
    const recorder = await testRecorder();
    recorder.receive(flightBytes({ seconds: 3 }));
    const { missionId, ...begun } = await begin(recorder);
    const { marked, audience, usergroups } = begun;
    const said = { missionName: 'Night', description: 'north', tags: ['dawn'], classification: 3 };

    await recorder.recordings.describe(missionId, { ...said, marked, audience, usergroups });

    // A kill from now on loses nothing of it.
    const journal = await readFile(join(recorder.root, 'live/journals', `${missionId}.json`), 'utf8');
    expect(JSON.parse(journal)).toMatchObject({ ...said, state: 'recording', startedUs: begun.startedUs });
    expect(recorder.now(missionId)).toMatchObject(said);
    // Describing a recording that is not running does nothing.
    await recorder.recordings.describe('00000000-0000-4000-8000-000000000001', {
      ...said,
      marked,
      audience,
      usergroups,
    });
  });

  it('is indexed by the KLV stream that a user chose, and names it', async () => {
    const recorder = await testRecorder();
    const [platform] = recorder.platforms;
    const order = (klvPid: number | undefined) => {
      const sensors = platform!.sensors.map((sensor) => ({ ...sensor, klvPid }));
      recorder.streams.ordered({ platforms: [{ ...platform!, sensors }] });
    };
    order(258);
    const { bytes, ticks } = twoPositions({ seconds: 3 });
    recorder.receive(bytes);
    const recording = await begin(recorder, { preRoll: true });
    recorder.receive(twoPositions({ seconds: 3, startTicks: ticks }).bytes);
    await recorder.recordings.stop(recording.missionId, null);

    const { file } = await onlyFile(recorder, recording);
    expect(file.klvPid).toBe(258);
    const { sensorId } = recorder.now(recording.missionId).sensors[0]!;
    const index = await readFileIndex(recorder.storage, sensorId, file.fileId);
    expect(index?.klv.chosen).toEqual({ pid: 258, by: 'user' });
  });

  it('begins as many seconds before as the platform wants', async () => {
    const record = { onPresence: false, schedule: [], preRollSeconds: 4 };
    const recorder = await testRecorder({ order: { record } });
    const before = flightBytes({ seconds: 10 });
    recorder.receive(before);
    await vi.waitFor(() => expect(recorder.ring.segments().length).toBe(5));
    const recording = await begin(recorder, { preRoll: true });

    await recorder.recordings.stop(recording.missionId, null);

    const { file, bytes } = await onlyFile(recorder, recording);
    expect(bytes.equals(before.subarray(before.length - bytes.length))).toBe(true);
    expect(file.durationSeconds).toBeGreaterThanOrEqual(4);
    expect(file.durationSeconds).toBeLessThan(7);
    expect(file.startedUs).toBeLessThanOrEqual(recording.startedUs);
  });

  it('reports its segments while it runs, and at the end those of its index', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 10 }));
    await vi.waitFor(() => expect(recorder.recordings.segments()).toHaveLength(4));
    const early = recorder.messages.flatMap((message) => (message.kind === 'segment' ? message.segment : []));

    await recorder.recordings.stop(recording.missionId, null);

    const { sensorId } = recording.sensors[0]!;
    const [file] = recorder.filesOf(recording.missionId);
    const index = await readFileIndex(recorder.storage, sensorId, file!.fileId);
    const { segments } = await getJson<StoredSegments>(recorder.storage, index!.segmentsKey!);
    const all = recorder.recordings.segments();
    expect(all.slice(0, early.length)).toEqual(early);
    expect(all.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
    expect(all.map(({ offset, sizeBytes }) => [offset, sizeBytes])).toEqual(
      segments.map(([offset, sizeBytes]) => [offset, sizeBytes]),
    );
    expect(all[2]!.startUs - all[0]!.startUs).toBe(4_000_000);
    expect(all.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)).toBeCloseTo(10, 3);
    expect(all.map(({ discontinuity }) => discontinuity)).toEqual([true, false, false, false, false]);
  });

  it('goes on in a new file when the stream comes back', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    const first = flightBytes({ seconds: 3 });
    const second = flightBytes({ seconds: 3, startTicks: 1_800_000 });
    recorder.receive(first);
    recorder.passSeconds(30);
    recorder.receive(second);

    await recorder.recordings.stop(recording.missionId, null);

    const [one, two] = recorder.filesOf(recording.missionId);
    expect([one!.cause, two!.cause]).toEqual(['start', 'stream']);
    expect([one!.sizeBytes, two!.sizeBytes]).toEqual([first.length, second.length]);
    expect((two!.startedUs - one!.endedUs!) / 1e6).toBeGreaterThan(29);
    process.stdout.write('a source away for 30 s: nothing lost of what it sent before and after\n');
  });

  it('T-083 goes on in a new file when a clock jumps, and every duration is right', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 4, startTicks: 900_000 }));
    // An hour ahead, 5 s back, and 6 s ahead.
    recorder.receive(flightBytes({ seconds: 3, startTicks: 900_000 + 3600 * TICKS_PER_SECOND }));
    recorder.receive(flightBytes({ seconds: 2, startTicks: 900_000 + 3598 * TICKS_PER_SECOND }));
    recorder.receive(flightBytes({ seconds: 2, startTicks: 900_000 + 3606 * TICKS_PER_SECOND }));
    await vi.waitFor(() => expect(recorder.filesOf(recording.missionId)[3]!.segments).toBe(0));
    for (const hours of [1, -1]) {
      recorder.clock.aheadUs += hours * 3600e6;
      const files = recorder.filesOf(recording.missionId).length;
      await vi.waitFor(() => expect(recorder.filesOf(recording.missionId).at(-1)!.endedUs).not.toBeNull());
      const startTicks = 900_000 + (hours > 0 ? 3608 : 3610) * TICKS_PER_SECOND;
      recorder.receive(flightBytes({ seconds: 2, startTicks }));
      expect(recorder.filesOf(recording.missionId)).toHaveLength(files + 1);
    }

    await recorder.recordings.stop(recording.missionId, null);

    const files = recorder.filesOf(recording.missionId);
    expect(files.map(({ cause }) => cause)).toEqual(['start', 'clock', 'clock', 'clock', 'clock', 'clock']);
    for (const [n, seconds] of [4, 3, 2, 2, 2, 2].entries()) {
      expect(Math.abs(files[n]!.durationSeconds - seconds)).toBeLessThan(0.041);
    }
    const { sensorId } = recording.sensors[0]!;
    const indexes = await Promise.all(files.map(({ fileId }) => readFileIndex(recorder.storage, sensorId, fileId)));
    expect(indexes.map((index) => index?.runs.length)).toEqual([1, 1, 1, 1, 1, 1]);
    process.stdout.write('T-083: clocks jumped five times, nothing of 15 s lost\n');
  });

  it('T-083 keeps every sentence of AIS in its order when the clock of the machine jumps', async () => {
    const files = await testAisFiles();
    files.receive(0, 5);
    files.clock.aheadUs += 3600e6;
    files.receive(5, 10);
    files.clock.aheadUs -= 2 * 3600e6;
    files.receive(10, 15);
    await files.close();

    expect((await files.stored()).flat()).toEqual(sentences(0, 15));
  });

  it('goes on in a new file when the pictures become others', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 2 }));
    recorder.receive(flightBytes({ seconds: 2, startTicks: 1_080_000, size: 'sd' }));

    await recorder.recordings.stop(recording.missionId, null);

    const { sensorId } = recording.sensors[0]!;
    const files = recorder.filesOf(recording.missionId);
    const indexes = await Promise.all(files.map(({ fileId }) => readFileIndex(recorder.storage, sensorId, fileId)));
    expect(indexes.map((index) => index?.video?.width)).toEqual([1920, 640]);
    expect(files.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([2, 2]);
  });

  it('is reported and journalled on structure changes, and its journal goes when its rows are settled', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 3 }));
    await recorder.recordings.settled(recording.missionId);
    expect(recorder.recordings.list()).toHaveLength(1);
    await recorder.recordings.stop(recording.missionId, null);
    await recorder.close();

    const next = await testRecorder({ root: recorder.root });
    expect(next.now(recording.missionId)).toEqual(recorder.now(recording.missionId));
    const reported = recorder.messages.findLast((message) => message.kind === 'recording');
    expect(reported).toMatchObject({ recording: recorder.now(recording.missionId) });
    await next.recordings.settled(recording.missionId);
    await next.close();

    expect((await testRecorder({ root: recorder.root })).recordings.list()).toEqual([]);
  });

  it('ends sensor by sensor, and a sensor that was stopped may be added again', async () => {
    const recorder = await testRecorder({ sensors: 2 });
    const recording = await begin(recorder);
    const { missionId } = recording;
    const [eo, ir] = recording.sensors;
    const bytes = flightBytes({ seconds: 2 });
    for (const sensor of [0, 1]) recorder.receive(bytes, { sensor });

    await recorder.recordings.stop(missionId, [eo!.liveSensorId]);
    recorder.receive(flightBytes({ seconds: 2, startTicks: 1_080_000 }), { sensor: 0 });
    expect(recorder.now(missionId)).toMatchObject({ state: 'recording', endedUs: null });
    expect(recorder.recordings.missionOf(eo!.liveSensorId)).toBeNull();
    expect(recorder.recordings.missionOf(ir!.liveSensorId)).toBe(missionId);
    const other = recorder.recordingOf(recorder.platforms[0]!);
    await expect(recorder.recordings.record(other, { preRoll: false })).rejects.toThrow(
      'EO 1 is being recorded already.',
    );
    await recorder.recordings.record({ ...recording, sensors: [eo!] }, { preRoll: false });
    recorder.receive(flightBytes({ seconds: 2, startTicks: 1_260_000 }), { sensor: 0 });
    await recorder.recordings.stop(missionId, null);

    // Added again, it begins with the key frame before: that of the 2 s in which it was not recorded.
    const [first, second] = recorder.now(missionId).sensors;
    expect(first!.files.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([2, 4]);
    expect(second!.files.map(({ durationSeconds }) => Math.round(durationSeconds))).toEqual([2]);
    expect(recorder.now(missionId)).toMatchObject({ state: 'stopped' });
  });

  it('runs on when its platform is taken from the orders', async () => {
    const recorder = await testRecorder();
    const recording = await begin(recorder);
    recorder.receive(flightBytes({ seconds: 2 }));
    recorder.streams.ordered({ platforms: [] });
    recorder.recordings.ordered({ platforms: [] });
    recorder.receive(flightBytes({ seconds: 2, startTicks: 1_080_000 }));

    await recorder.recordings.stop(recording.missionId, null);

    expect((await onlyFile(recorder, recording)).file.durationSeconds).toBeCloseTo(4, 1);
    expect(recorder.streams.described()).toEqual([]);
  });

  it('bears a stream of noise in few files, and says that nothing of it can be shown', async () => {
    const recorder = await testRecorder();
    recorder.receive(flightBytes({ seconds: 2 }));
    const recording = await begin(recorder);
    for (let n = 0; n < 100; n += 1) {
      const startTicks = 900_000 + ((n * 7919) % 1000) * 60 * TICKS_PER_SECOND;
      recorder.receive(flightBytes({ seconds: 0.2, startTicks }));
    }

    await recorder.recordings.stop(recording.missionId, null);

    const files = recorder.filesOf(recording.missionId);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThan(14);
  });
});
