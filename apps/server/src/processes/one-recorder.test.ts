import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { mainScript } from '../../../../tools/test-support/product.ts';
import { atEnd } from '../../test/cleanup.ts';
import { flightBytes } from '../../test/flight.ts';
import { fly } from '../../test/flights.ts';
import { platformOrder, recordingOf } from '../../test/orders.ts';
import { isAlive, killNow } from '../../test/processes.ts';
import { readConfig } from '../base/config/config.ts';
import { isRecorderAlive, lockRecorder, recorderPid } from '../base/storage/recorder-lock.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import type { Recording } from '../recorder-wire/protocol.ts';
import { recorderSocket } from '../recorder-wire/socket-path.ts';
import { keepRecorder } from './keep-recorder.ts';
import { findRecorder } from './recorder-line.ts';

vi.setConfig({ testTimeout: 120_000 });

const script = mainScript();
const log = pino({ level: 'silent' });
const PORT = 22_300 + (process.pid % 500);
const WAIT = { timeout: 30_000, interval: 20 };

async function dataFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-one-'));
  atEnd(async () => {
    const pid = await recorderPid(dataDir).catch(() => null);
    if (pid !== null) killNow(pid);
    await rm(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** Keeps a recorder for a folder, as main does. */
function keep(dataDir: string, patienceMs?: number) {
  const [onRestart, onFound, onSilent] = [vi.fn(), vi.fn(), vi.fn()];
  const config = readConfig({ OSPREY_DATA: dataDir });
  const order = () => ({ config, databaseUrl: '', setupCode: null, tls: null, restarted: false });
  const kept = keepRecorder({
    ...{ script, dataDir, order, onRestart, onFound, onSilent },
    ...(patienceMs !== undefined && { patienceMs }),
  });
  return { ...kept, onRestart, onFound, onSilent };
}

it('a recorder is left running where it has received since it was found, and ends where nothing is in the air', async () => {
  const dataDir = await dataFolder();
  const first = keep(dataDir);
  await first.ready;
  const online = vi.fn();
  const client = recorderClient({
    ...{ dataDir, log },
    onMessage(message) {
      if (message.kind === 'source' && message.source.on) online();
    },
  });
  atEnd(() => client.close());
  await vi.waitFor(() => expect(client.connected()).toBe(true), WAIT);
  client.order({ platforms: [platformOrder({ n: 0, sensors: 1, url: () => `udp://127.0.0.1:${PORT + 1}` })] });
  await vi.waitFor(() => expect(online).toHaveBeenCalled(), WAIT);
  const pid = await recorderPid(dataDir);

  await first.leave();
  const second = keep(dataDir);
  await second.ready;
  expect(second.onFound.mock.calls).toEqual([[pid]]);
  client.order({ platforms: [] });
  await vi.waitFor(async () => {
    const found = await findRecorder(recorderSocket(dataDir));
    found?.leave();
    expect(found?.sources).toEqual([]);
  }, WAIT);

  await second.leave();
  expect(isRecorderAlive(dataDir)).toBe(false);
});

it('a recorder that does not answer is waited for and taken over: no second one is started', {
  tags: 'long',
}, async () => {
  const dataDir = await dataFolder();
  const first = keep(dataDir);
  await first.ready;
  const recordings = new Map<string, Recording>();
  const client = recorderClient({
    ...{ dataDir, log },
    onMessage(message) {
      if (message.kind === 'recording') recordings.set(message.recording.missionId, message.recording);
    },
  });
  atEnd(() => client.close());
  await vi.waitFor(() => expect(client.connected()).toBe(true), WAIT);
  const platform = platformOrder({ n: 0, sensors: 1, url: () => `udp://127.0.0.1:${PORT}` });
  client.order({ platforms: [platform] });
  const recording = recordingOf(platform, Date.now() * 1000);
  await fly(flightBytes({ seconds: 120 }), PORT);
  expect(await client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
  const files = () => recordings.get(recording.missionId)?.sensors[0]?.files ?? [];
  await vi.waitFor(() => expect(files()[0]?.sizeBytes).toBeGreaterThan(0), WAIT);
  const pid = (await recorderPid(dataDir))!;
  process.kill(pid, 'SIGSTOP');

  const second = keep(dataDir);
  await vi.waitFor(() => expect(second.onSilent).toHaveBeenCalledOnce(), WAIT);
  process.kill(pid, 'SIGCONT');
  await second.ready;
  // A process that was paused finds its stream away: later packets go to a file of its own.
  await vi.waitFor(
    () => expect(files().at(-1)).toMatchObject({ endedUs: null, sizeBytes: expect.toSatisfy(Boolean) }),
    WAIT,
  );
  expect(await client.request({ kind: 'stop', missionId: recording.missionId, sensors: null })).toBeNull();

  expect(second.onFound.mock.calls).toEqual([[pid]]);
  expect(first.onRestart).not.toHaveBeenCalled();
  expect(files().map(({ cause }) => cause)).not.toContain('restart');
  for (const { fileId, sizeBytes } of files()) {
    const path = join(dataDir, 'files/originals', recording.sensors[0]!.sensorId, `${fileId}.ts`);
    expect((await stat(path)).size).toBe(sizeBytes);
  }
  await second.stop();
  // The recorder closes its connection and ends a moment later.
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
  await first.stop();
});

it('a recorder that goes on saying nothing is killed, and another begins', { tags: 'long' }, async () => {
  const dataDir = await dataFolder();
  const first = keep(dataDir);
  await first.ready;
  const pid = (await recorderPid(dataDir))!;
  process.kill(pid, 'SIGSTOP');

  const second = keep(dataDir, 0);
  await second.ready;

  expect(isAlive(pid)).toBe(false);
  expect(await recorderPid(dataDir)).not.toBe(pid);
  await second.stop();
  await first.stop();
});

it('the lock of a recorder is free as soon as it ends, by kill -9 too', async () => {
  const dataDir = await dataFolder();
  const kept = keep(dataDir);
  await kept.ready;
  const pid = (await recorderPid(dataDir))!;
  expect(isRecorderAlive(dataDir)).toBe(true);
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain(script);

  const waits = lockRecorder({ dataDir, log });
  process.kill(pid, 'SIGKILL');
  const unlock = await waits;

  expect(await recorderPid(dataDir)).toBe(process.pid);
  const other = join(tmpdir(), `osprey-none-${randomUUID()}`);
  expect(isRecorderAlive(other)).toBe(false);
  unlock();
  // Whether it was missed before this process took its lock or after that: another one begins.
  await vi.waitFor(async () => expect([null, pid, process.pid]).not.toContain(await recorderPid(dataDir)), WAIT);
  await kept.stop();
});
