import { expect, it, vi } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { testRecorder } from '../../../test/live-recorder.ts';
import { smallVolume } from '../../../test/small-volume.ts';
import type { Storage } from '../../base/storage/storage.ts';

const GIB = 1024 ** 3;

const volume = smallVolume(24, 'T-084 on a volume that is full');

it.skipIf(volume === null)(
  'T-084 a volume without a byte left ends the recording with whole packets, and says so',
  async () => {
    const storage = (real: Storage): Storage => ({
      ...real,
      // The floor is far away: it is the write that fails.
      space: async () => ({ freeBytes: 50 * GIB, totalBytes: 100 * GIB }),
    });
    const recorder = await testRecorder({ root: volume!, storage });
    const recording = recorder.recordingOf(recorder.platforms[0]!);
    await recorder.recordings.record(recording, { preRoll: false });
    const flight = flightBytes({ seconds: 30, bitsPerSecond: 8e6 });
    const step = 188 * 7 * 200;
    for (let at = 0; at < flight.length; at += step) {
      recorder.receive(flight.subarray(at, at + step));
      await new Promise((done) => setTimeout(done, 20));
    }
    await vi.waitFor(() => expect(recorder.now(recording.missionId).state).toBe('stopped'));

    expect(recorder.errors()).toContain('disk full');
    expect(recorder.now(recording.missionId).stopReason).toBe('disk full');
    const { sensorId } = recording.sensors[0]!;
    const [file] = recorder.filesOf(recording.missionId);
    const bytes = await recorder.bytesOf(sensorId, file!.fileId);
    expect(bytes.length).toBe(file!.sizeBytes);
    expect(bytes.length % 188).toBe(0);
    expect(bytes.length).toBeGreaterThan(1024 ** 2);
    const start = flight.indexOf(bytes.subarray(0, 188 * 20));
    expect(start).toBe(0);
    expect(flight.subarray(0, bytes.length).equals(bytes)).toBe(true);
    const acknowledged = recorder.messages.flatMap((message) =>
      message.kind === 'recording'
        ? message.recording.sensors[0]!.files.filter(({ fileId }) => fileId === file!.fileId)
        : [],
    );
    expect(Math.max(...acknowledged.map(({ sizeBytes }) => sizeBytes))).toBeLessThanOrEqual(bytes.length);
    const lost = flight.length - bytes.length;
    process.stdout.write(`T-084: ${bytes.length} bytes written to the last room, ${lost} behind them not recorded\n`);
  },
);
