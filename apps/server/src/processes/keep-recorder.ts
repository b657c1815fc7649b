import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecorderAlive, recorderPid } from '../base/storage/recorder-lock.ts';
import { PROTOCOL } from '../recorder-wire/protocol.ts';
import { recorderSocket } from '../recorder-wire/socket-path.ts';
import { childEnvironment } from './keep-child.ts';
import type { ChildMessage, StartMessage } from './messages.ts';
import { findRecorder, type RecorderLine } from './recorder-line.ts';
import { LONGEST_RESTART_WAIT_MS, restartWaitMs } from './restart-wait.ts';

/** Between two looks for one that lives and does not answer. */
const CHECK_AGAIN_MS = 300;
/** One that lived so long did not fail at its start. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;
/** One that lives and says nothing for so long receives nothing either. */
const PATIENCE_MS = 60_000;
/** The recorder was asked this often at least before it counts as dead: time passes too while main itself is paused. */
const TRIES_LEAST = 2;
/** Signals of a process that crashed without an exception: the engine out of memory, or a fault in native code. */
const CRASH_SIGNALS: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];
const LOG_MAX_BYTES = 16 * 1024 * 1024;

export type SupervisedRecorder = {
  /** Rejects with the recorder's own words when its first start fails. */
  ready: Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Leaves the recorder running without this process if it receives or records; else it ends. */
  leave(): Promise<void>;
};

type KeepOptions = {
  script: string;
  dataDir: string;
  order: () => StartMessage;
  onRestart: () => void;
  /** A recorder that main before us had left was found. */
  onFound: (pid: number) => void;
  /** One lives that does not answer; it is waited for. */
  onSilent: () => void;
  /** After so long it is killed. */
  patienceMs?: number;
};

/**
 * Keeps one recorder running: takes over the one that lives, else starts it. It is detached: it survives main and
 * writes its own log file.
 */
export function keepRecorder(options: KeepOptions): SupervisedRecorder {
  const { script, dataDir, order, onRestart, onFound, onSilent, patienceMs = PATIENCE_MS } = options;
  const path = recorderSocket(dataDir);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // The start awaits it; a failure before that must not be an unhandled rejection.
  ready.catch(() => undefined);
  let line: RecorderLine | null = null;
  let isStopping = false;
  let isRestarting = false;
  /** The last that we started ended by a fault of its own, and not by a signal from outside. */
  let wasCrash = false;
  let stopped: () => void = () => undefined;
  const stop = new Promise<void>((done) => {
    stopped = done;
  });

  async function keep(): Promise<void> {
    line = await reach();
    resolve();
    let failures = 0;
    for (;;) {
      const startedMs = performance.now();
      await line.closed;
      line = null;
      if (isStopping) return;
      // One that lives has cut us off, as we did not read: it is found again.
      if (!isRestarting && !isRecorderAlive(dataDir)) {
        failures = performance.now() - startedMs > STEADY_MS ? 0 : failures + 1;
        onRestart();
        await pause(restartWaitMs(failures));
      }
      isRestarting = false;
      line = await reachAgain();
      if (line === null) return;
    }
  }

  const pause = (ms: number) => Promise.race([stop, new Promise((done) => setTimeout(done, ms).unref())]);

  async function reachAgain(): Promise<RecorderLine | null> {
    for (;;) {
      const found = await reach().catch(() => null);
      if (found !== null && !isStopping) return found;
      if (found !== null) await endRecorder(found);
      if (isStopping) return null;
      await pause(LONGEST_RESTART_WAIT_MS);
    }
  }

  /** The recorder that lives, as soon as it answers; else a new one. */
  async function reach(): Promise<RecorderLine> {
    const sinceMs = performance.now();
    let isOurs = false;
    let silences = 0;
    for (;;) {
      const found = await findRecorder(path);
      if (found?.protocol === PROTOCOL) {
        if (!isOurs) onFound(found.pid);
        return found;
      }
      // A stop ends the recorder that lives, so it must be found first.
      if (isStopping && !isOurs) break;
      if (found !== null) {
        // One that speaks another language is ended in good order.
        await endRecorder(found);
      } else if (!isRecorderAlive(dataDir)) {
        if (isOurs) break;
        isOurs = await startOne();
      } else {
        silences += 1;
        if (silences === 1) onSilent();
        if (silences >= TRIES_LEAST && performance.now() - sinceMs > patienceMs) await killSilent(dataDir);
        await pause(CHECK_AGAIN_MS);
      }
    }
    throw new Error('The recorder process does not answer');
  }

  /** False where another one was faster. */
  async function startOne(): Promise<boolean> {
    const onExit = (isCrash: boolean) => {
      wasCrash = isCrash;
    };
    try {
      await spawnRecorder({ script, dataDir, order: { ...order(), wasCrash }, onExit });
      return true;
    } catch (error) {
      if (isRecorderAlive(dataDir)) return false;
      throw error;
    }
  }

  async function finish(isEnded: () => boolean | Promise<boolean>): Promise<void> {
    isStopping = true;
    stopped();
    await ready.catch(() => undefined);
    if (line !== null && !(await isEnded())) return line?.leave();
    if (line !== null) await endRecorder(line);
    // A start that is on its way is ended once it is there.
    await keeping;
  }

  /** Asked now: the greeting of our own line is as old as the line. One that does not answer may be busy. */
  async function isIdle(): Promise<boolean> {
    const now = await findRecorder(path);
    now?.leave();
    return now !== null && !now.sources.some(({ on }) => on) && now.recordings.length === 0;
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
    leave: () => finish(isIdle),
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

async function killSilent(dataDir: string): Promise<void> {
  try {
    const pid = await recorderPid(dataDir);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  } catch {
    // The recorder has just ended, or its pid is unknown: another look finds it.
  }
}

type SpawnOptions = { script: string; dataDir: string; order: StartMessage; onExit: (isCrash: boolean) => void };

/** Settled when it listens; it is left to itself then. */
async function spawnRecorder({ script, dataDir, order, onExit }: SpawnOptions): Promise<void> {
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
    child.once('exit', (_code, signal) => onExit(signal !== null && CRASH_SIGNALS.includes(signal)));
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
