import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PROTOCOL } from '../live/protocol.ts';
import { recorderSocket } from '../live/socket-path.ts';
import { childEnvironment } from './keep-child.ts';
import type { ChildMessage, StartMessage } from './messages.ts';
import { findRecorder, type RecorderLine } from './recorder-line.ts';

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;
/** One that lived so long did not fail at its start. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;
const LOG_MAX_BYTES = 16 * 1024 * 1024;

export type KeptRecorder = {
  /** Rejects with the recorder's own words when its first start fails. */
  ready: Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Where something is received or recorded it goes on without us. */
  leave(): Promise<void>;
};

type KeepOptions = {
  script: string;
  dataDir: string;
  order: () => StartMessage;
  onRestart: () => void;
  /** A recorder that main before us had left was found. */
  onFound: (pid: number) => void;
};

/**
 * Keeps one recorder running: takes over the one that lives, else starts it. It is nobody's child in the sense that
 * it outlives main, and has a log file of its own.
 */
export function keepRecorder({ script, dataDir, order, onRestart, onFound }: KeepOptions): KeptRecorder {
  const path = recorderSocket(dataDir);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Whoever starts the server waits for it; a failure before that is no unhandled one.
  ready.catch(() => undefined);
  let line: RecorderLine | null = null;
  let isStopping = false;
  let isRestarting = false;
  let stopped: () => void = () => undefined;
  const stop = new Promise<void>((done) => {
    stopped = done;
  });

  async function keep(): Promise<void> {
    line = (await takeOver()) ?? (await startOne());
    resolve();
    let failures = 0;
    for (;;) {
      const startedMs = performance.now();
      await line.closed;
      line = null;
      if (isStopping) return;
      if (!isRestarting) {
        failures = performance.now() - startedMs > STEADY_MS ? 0 : failures + 1;
        onRestart();
        const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
        await Promise.race([stop, new Promise((done) => setTimeout(done, waitMs).unref())]);
      }
      isRestarting = false;
      line = await startAgain();
      if (line === null) return;
    }
  }

  async function startAgain(): Promise<RecorderLine | null> {
    while (!isStopping) {
      const found = await startOne().catch(() => null);
      if (found !== null && !isStopping) return found;
      if (found !== null) await endRecorder(found);
      await Promise.race([stop, new Promise((done) => setTimeout(done, LONGEST_WAIT_MS).unref())]);
    }
    return null;
  }

  /** One that speaks another language is ended in good order. */
  async function takeOver(): Promise<RecorderLine | null> {
    const found = await findRecorder(path);
    if (found === null) return null;
    if (found.protocol !== PROTOCOL) {
      await endRecorder(found);
      return null;
    }
    onFound(found.pid);
    return found;
  }

  async function startOne(): Promise<RecorderLine> {
    await spawnRecorder({ script, dataDir, order: order() });
    const found = await findRecorder(path);
    if (found === null) throw new Error('The recorder process does not answer');
    return found;
  }

  async function finish(isEnded: (line: RecorderLine) => boolean): Promise<void> {
    isStopping = true;
    stopped();
    await ready.catch(() => undefined);
    if (line !== null && !isEnded(line)) return;
    if (line !== null) await endRecorder(line);
    // A start that is on its way is ended once it is there.
    await keeping;
  }

  const keeping = keep().catch((error) => reject(error));
  return {
    ready,
    async restart() {
      if (isStopping || line === null) return;
      isRestarting = true;
      await endRecorder(line);
    },
    stop: () => finish(() => true),
    leave: () => finish(({ sources, recordings }) => !sources.some(({ on }) => on) && recordings.length === 0),
  };
}

async function endRecorder(line: RecorderLine): Promise<void> {
  line.end();
  const hard = setTimeout(() => {
    if (!line.isClosed()) process.kill(line.pid, 'SIGKILL');
  }, STOP_MS);
  await line.closed;
  clearTimeout(hard);
}

type SpawnOptions = { script: string; dataDir: string; order: StartMessage };

/** Settled when it listens; it is left to itself then. */
async function spawnRecorder({ script, dataDir, order }: SpawnOptions): Promise<void> {
  const log = await openLog(join(dataDir, 'live'));
  try {
    const child = fork(script, [], {
      env: { ...childEnvironment(), OSPREY_ROLES: 'recorder' },
      execArgv: process.execArgv,
      serialization: 'json',
      // A group and a session of its own: what ends a terminal or main does not end it.
      detached: true,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    child.send(order);
    await listening(child);
    child.disconnect();
    child.unref();
  } finally {
    await log.close();
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = 'The recorder process ended before it was ready: see live/recorder.log';
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'failed') words = message.text;
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(words)));
  });
}

async function openLog(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'recorder.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_MAX_BYTES) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}
