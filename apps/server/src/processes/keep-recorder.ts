import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecorderAlive, recorderPid } from '../base/storage/recorder-lock.ts';
import { PROTOCOL } from '../recorder-wire/protocol.ts';
import { recorderSocket } from '../recorder-wire/socket-path.ts';
import { childEnvironment } from './keep-child.ts';
import type { ChildMessage, StartMessage } from './messages.ts';
import { findRecorder, type RecorderLine } from './recorder-line.ts';
import { RESTART_WAIT_MAX_MS, restartWaitMs } from './restart-wait.ts';

/** Interval of attempts to reach a recorder that runs but does not respond, in milliseconds. */
const POLL_MS = 300;
/** A recorder that ran for this long did not fail at its start, in milliseconds. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;
/**
 * Time without a response after which a running recorder is killed, in milliseconds, since it probably receives nothing
 * either.
 */
const RESPONSE_TIMEOUT_MS = 60_000;
/**
 * Minimum number of attempts before the recorder counts as dead, since time also passes while the main process itself
 * is suspended.
 */
const TRIES_MIN = 2;
/** Signals of a crash without an exception: the JavaScript engine is out of memory, or native code has a fault. */
const CRASH_SIGNALS: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];
const LOG_MAX_BYTES = 16 * 1024 * 1024;

export type SupervisedRecorder = {
  /** Resolves when the recorder is reached; rejects with its error if its first start fails. */
  ready: Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Leaves the recorder running without this process if it receives or records; otherwise stops it. */
  leave(): Promise<void>;
};

type KeepOptions = {
  script: string;
  dataDir: string;
  order: () => StartMessage;
  onRestart: () => void;
  /** Called when a recorder started by an earlier main process was found. */
  onFound: (pid: number) => void;
  /** Called when a recorder runs but does not respond; the main process then waits for it. */
  onSilent: () => void;
  /** Time after which a recorder that does not respond is killed, in milliseconds. */
  patienceMs?: number;
};

/**
 * Keeps one recorder running: connects to a running one, otherwise starts one. The recorder is a detached process: it
 * continues after the main process exits, and writes its own log file.
 */
export function keepRecorder(options: KeepOptions): SupervisedRecorder {
  const { script, dataDir, order, onRestart, onFound, onSilent, patienceMs = RESPONSE_TIMEOUT_MS } = options;
  const path = recorderSocket(dataDir);
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Callers await `ready` later; a failure before that must not cause an unhandled rejection.
  ready.catch(() => undefined);
  let line: RecorderLine | null = null;
  let isStopping = false;
  let isRestarting = false;
  /** True if the last recorder started by this process crashed, rather than being stopped by a signal from outside. */
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
      // A recorder that is still running closed the connection because this process did not read from it, so only
      // reconnect.
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
      await pause(RESTART_WAIT_MAX_MS);
    }
  }

  /** Connects to a running recorder as soon as it responds; otherwise starts one. */
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
      // Checked only after looking for a recorder, since a running one must be found in order to be stopped.
      if (isStopping && !isOurs) break;
      if (found !== null) {
        // A recorder with another protocol version is stopped in an orderly way.
        await endRecorder(found);
      } else if (!isRecorderAlive(dataDir)) {
        if (isOurs) break;
        isOurs = await startOne();
      } else {
        silences += 1;
        if (silences === 1) onSilent();
        if (silences >= TRIES_MIN && performance.now() - sinceMs > patienceMs) await killSilent(dataDir);
        await pause(POLL_MS);
      }
    }
    throw new Error('The recorder process does not answer');
  }

  /** Starts a recorder. Returns false if another process was faster. */
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
    // A recorder that is just starting is stopped once it can be reached.
    await keeping;
  }

  /**
   * Returns whether the recorder neither receives nor records. Opens another connection for a current greeting, since
   * that of the existing connection is outdated. A recorder that does not respond is assumed to be busy.
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
    // The recorder has just exited, or its pid is unknown; the next attempt shows which.
  }
}

type SpawnOptions = { script: string; dataDir: string; order: StartMessage; onExit: (isCrash: boolean) => void };

/** Starts a detached recorder; settles when it is listening. */
async function spawnRecorder({ script, dataDir, order, onExit }: SpawnOptions): Promise<void> {
  const log = await openLog(join(dataDir, 'live'));
  try {
    const child = fork(script, [], {
      env: { ...childEnvironment(), OSPREY_ROLES: 'recorder' },
      execArgv: process.execArgv,
      serialization: 'json',
      // The recorder gets its own process group and session, so that it is not stopped together with a terminal or the
      // main process.
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
