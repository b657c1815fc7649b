import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { freePort } from '../../../../../tools/test-support/free-port.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import { makeFlight, probe } from '../../../test/rtmp-flight.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const isThere = existsSync(FFMPEG);
if (!isThere) process.stderr.write('Skipped: pushing over RTMP needs ffmpeg\n');

const KEY = 'k3y-of-64-kinds_abcdefgh';
const SECONDS = 3;
const RATE = 15;

it.skipIf(!isThere)(
  'an encoder that pushes over RTMP is recorded whole, and again after the recorder was killed',
  { tags: 'long', timeout: 240_000 },
  async () => {
    const to = `rtmp://127.0.0.1:${await freePort()}/live/${KEY}`;
    const platform = platformOrder({ n: 0, sensors: 1, url: () => to });
    const recorder = await recorderProcess([platform]);
    const flight = join(recorder.dataDir, 'flight.flv');
    makeFlight(flight, { seconds: SECONDS, rate: RATE });
    const push = () => promisify(execFile)(FFMPEG, ['-v', 'error', '-re', '-i', flight, '-c', 'copy', '-f', 'flv', to]);
    const recording = recordingOf(platform, Date.now() * 1000);
    expect(await recorder.client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
    const files = () => recorder.recordings.get(recording.missionId)?.sensors[0]?.files ?? [];
    const ended = (count: number) => {
      expect(files()).toHaveLength(count);
      expect(files().every(({ endedUs }) => endedUs !== null)).toBe(true);
    };

    await push();
    await vi.waitFor(() => ended(1));
    await recorder.end('SIGKILL');
    await recorder.start();
    await vi.waitFor(() => expect(recorder.client.connected()).toBe(true));
    await push();
    await vi.waitFor(() => ended(2));
    const stop = { kind: 'stop' as const, missionId: recording.missionId, sensors: null };
    expect(await recorder.client.request(stop)).toBeNull();

    const sent = probe(flight);
    expect(sent.h264?.nb_read_packets).toBe(String(SECONDS * RATE));
    const { sensorId } = recording.sensors[0]!;
    for (const { fileId } of files()) {
      expect(probe(join(recorder.dataDir, 'files/originals', sensorId, `${fileId}.ts`))).toEqual(sent);
    }
  },
);
