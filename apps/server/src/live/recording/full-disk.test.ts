import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { testRecorder } from '../../../test/live-recorder.ts';
import type { Storage } from '../../storage/storage.ts';

const GIB = 1024 ** 3;

/** A volume of so many bytes of its own; null where nobody may mount one. */
function smallVolume(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-full-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status === 0) return folder;
  process.stdout.write(
    `T-084 on a volume that is full was not tested: mounting is not permitted here (${stderr?.trim()})\n`,
  );
  return null;
}

const volume = smallVolume(24);
atEnd(async () => {
  if (volume === null) return;
  execFileSync('umount', ['-l', volume]);
  await rm(volume, { recursive: true, force: true });
});

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
    await vi.waitFor(() => expect(recorder.now(recording.missionId).state).toBe('stopped'), { timeout: 20_000 });

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
  },
);
