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

/** Interval of attempts to reach a recorder that runs but does not answer. */
const CHECK_AGAIN_MS = 300;
/** A recorder that ran this long did not fail at its start. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;
/** A running recorder that does not answer for this time is killed: it receives nothing either. */
const PATIENCE_MS = 60_000;
/** Attempts needed before the recorder counts as dead, since time also passes while main itself is suspended. */
const TRIES_LEAST = 2;
/** Signals of a crash without an exception: the engine out of memory, or a fault in native code. */
const CRASH_SIGNALS: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];
const LOG_MAX_BYTES = 16 * 1024 * 1024;

export type SupervisedRecorder = {
  /** Rejects with the recorder's error when its first start fails. */
  ready: Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Leaves the recorder running without this process if it receives or records; otherwise ends it. */
  leave(): Promise<void>;
};

type KeepOptions = {
  script: string;
  dataDir: string;
  order: () => StartMessage;
  onRestart: () => void;
  /** Called when a recorder left by an earlier main was found. */
  onFound: (pid: number) => void;
  /** Called when a recorder runs but does not answer; main waits for it. */
  onSilent: () => void;
  /** Time after which a silent recorder is killed. */
  patienceMs?: number;
};

/**
 * Keeps one recorder running: connects to a running one, otherwise starts it. It is detached: it survives main and
 * writes its own log file.
 */
export function keepRecorder(options: KeepOptions): SupervisedRecorder {
  const { script, dataDir, order, onRestart, onFound, onSilent, patienceMs = PATIENCE_MS } = options;
  const path = recorderSocket(dataDir);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Callers await it later; a failure before that must not be an unhandled rejection.
  ready.catch(() => undefined);
  let line: RecorderLine | null = null;
  let isStopping = false;
  let isRestarting = false;
  /** True if the last recorder that we started crashed, and was not ended by a signal from outside. */
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
      // A recorder that still runs has disconnected us because we did not read: we reconnect.
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

  /** Connects to a running recorder as soon as it answers; otherwise starts one. */
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
      // A stop must end a running recorder, so it must first be found.
      if (isStopping && !isOurs) break;
      if (found !== null) {
        // A recorder of another protocol version is ended in an orderly way.
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

  /** Starts a recorder. False if another process was faster. */
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
    // A recorder that is just starting is ended once it is reached.
    await keeping;
  }

  /**
   * Whether the recorder neither receives nor records. Asks for a new greeting, as that of our connection is outdated.
   * A recorder that does not answer may be busy.
   */
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
    // The recorder has just ended, or its pid is unknown: the next attempt shows which.
  }
}

type SpawnOptions = { script: string; dataDir: string; order: StartMessage; onExit: (isCrash: boolean) => void };

/** Starts a detached recorder; settles when it listens. */
async function spawnRecorder({ script, dataDir, order, onExit }: SpawnOptions): Promise<void> {
  const log = await openLog(join(dataDir, 'live'));
  try {
    const child = fork(script, [], {
      env: { ...childEnvironment(), OSPREY_ROLES: 'recorder' },
      execArgv: process.execArgv,
      serialization: 'json',
      // Runs in its own process group and session, so that what ends a terminal or main does not end it.
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
