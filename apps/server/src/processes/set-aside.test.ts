import { createSocket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { BOMBS } from '../../test/crashing-recorder.ts';
import { platformOrder } from '../../test/orders.ts';
import { killNow } from '../../test/processes.ts';
import { readConfig } from '../base/config/config.ts';
import { recorderPid } from '../base/storage/recorder-lock.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import type { SourceState } from '../recorder-wire/protocol.ts';
import { keepRecorder } from './keep-recorder.ts';

vi.setConfig({ testTimeout: 120_000 });

const PORT = 23_100 + (process.pid % 500) * 2;
const WAIT = { timeout: 60_000, interval: 20 };

const subject = 'a sensor that ends the recorder twice is set aside, and the other goes on';
it(`${subject}: the engine aborts, then an error is thrown`, () => bombed([BOMBS.aborts, BOMBS.throws]));
it(`${subject}: the engine aborts twice`, { tags: 'long' }, () => bombed([BOMBS.aborts, BOMBS.aborts]));

async function bombed(bombs: readonly string[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-aside-'));
  atEnd(async () => {
    const pid = await recorderPid(dataDir).catch(() => null);
    if (pid !== null) killNow(pid);
    await rm(dataDir, { recursive: true, force: true });
  });
  const config = readConfig({ OSPREY_DATA: dataDir });
  const script = join(import.meta.dirname, '../../test/crashing-recorder.ts');
  const onRestart = vi.fn();
  const kept = keepRecorder({
    ...{ script, dataDir, onRestart, onFound: vi.fn(), onSilent: vi.fn() },
    order: () => ({ config, databaseUrl: '', setupCode: null, tls: null, restarted: false }),
  });
  const sources = new Map<string, SourceState>();
  const client = recorderClient({
    ...{ dataDir, log: pino({ level: 'silent' }) },
    onLost: () => sources.clear(),
    onMessage(message) {
      if (message.kind === 'hello') for (const source of message.sources) sources.set(source.sensorId, source);
      if (message.kind === 'source') sources.set(message.source.sensorId, message.source);
    },
  });
  atEnd(() => client.close());
  await kept.ready;
  const platform = platformOrder({ n: 0, sensors: 2, url: (sensor) => `udp://127.0.0.1:${PORT + sensor}` });
  client.order({ platforms: [platform] });
  const [bad, good] = platform.sensors.map(({ sensorId }) => sensorId);
  const socket = createSocket('udp4');
  atEnd(async () => void socket.close());

  for (const [n, bomb] of bombs.entries()) {
    await vi.waitFor(() => expect(sources.get(bad!)).toMatchObject({ on: true }), WAIT);
    await vi.waitFor(() => {
      // Until its port is open.
      socket.send(bomb, PORT, '127.0.0.1');
      expect(onRestart).toHaveBeenCalledTimes(n + 1);
    }, WAIT);
  }

  await vi.waitFor(() => expect(sources.get(bad!)?.aside).toBeDefined(), WAIT);
  expect(sources.get(bad!)).toMatchObject({ on: false, error: expect.stringMatching(/^Set aside/) });
  expect(sources.get(good!)).toMatchObject({ on: true });
  expect(sources.get(good!)?.aside).toBeUndefined();
  // The port is closed, so this packet must not crash anything.
  socket.send(BOMBS.throws, PORT, '127.0.0.1');

  expect(await client.request({ kind: 'retry', sensorId: bad! })).toBeNull();
  await vi.waitFor(() => expect(sources.get(bad!)).toMatchObject({ on: true, error: null }), WAIT);
  expect(onRestart).toHaveBeenCalledTimes(2);
  await kept.stop();
}
