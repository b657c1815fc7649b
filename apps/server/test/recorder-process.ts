import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { mainScript } from '../../../tools/test-support/product.ts';
import { readConfig } from '../src/base/config/config.ts';
import { recorderClient } from '../src/recorder-wire/client.ts';
import type { FromRecorder, Orders, PlatformOrder, Recording, SourceState } from '../src/recorder-wire/protocol.ts';
import { atEnd } from './cleanup.ts';

/**
 * The recorder as a process, alone with its orders: started, killed and started again by a test. `received`: all that it
 * says.
 */
export async function recorderProcess(
  platforms: PlatformOrder[],
  settings: Record<string, string> = {},
  received: (message: FromRecorder) => void = () => undefined,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'osprey-kills-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const config = readConfig({ ...settings, OSPREY_DATA: dataDir, OSPREY_LOG_LEVEL: 'warn' });
  const recordings = new Map<string, Recording>();
  /** State of each source, by sensor. */
  const sources = new Map<string, SourceState['state']>();
  const errors: string[] = [];
  let child: ChildProcess | null = null;

  const client = recorderClient({
    dataDir,
    log: pino({ level: 'silent' }),
    onMessage(message: FromRecorder) {
      received(message);
      if (message.kind === 'hello') {
        for (const one of message.recordings) recordings.set(one.missionId, one);
        sources.clear();
        for (const { sensorId, state } of message.sources) sources.set(sensorId, state);
      }
      if (message.kind === 'source') sources.set(message.source.sensorId, message.source.state);
      if (message.kind === 'recording') recordings.set(message.recording.missionId, message.recording);
      if (message.kind === 'error') errors.push(message.info);
    },
  });
  atEnd(() => client.close());
  const orders: Orders = { platforms };
  client.order(orders);

  async function start(): Promise<void> {
    const fresh = fork(mainScript(), [], { env: { ...process.env, OSPREY_ROLES: 'recorder' }, serialization: 'json' });
    child = fresh;
    const ready = new Promise<void>((done, failed) => {
      fresh.on('message', ({ kind }: { kind: string }) => (kind === 'ready' ? done() : failed(new Error(kind))));
      fresh.once('exit', () => failed(new Error('The recorder ended before it was ready')));
    });
    fresh.send({ config, databaseUrl: '', setupCode: null, tls: null, restarted: false });
    await ready;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const old = child;
    if (old === null || old.exitCode !== null) return;
    child = null;
    const gone = new Promise((done) => old.once('exit', done));
    old.kill(signal);
    await gone;
  }
  atEnd(() => end('SIGKILL'));

  await start();
  await vi.waitFor(() => expect(client.connected()).toBe(true));
  return { dataDir, client, recordings, sources, errors, start, end, pid: () => child!.pid! };
}
