import { type ChildProcess, fork } from 'node:child_process';
import type { ChildMessage, StartMessage } from './messages.ts';

const FIRST_WAIT_MS = 300;
const WAIT_MAX_MS = 10_000;
/** A child process that ran for this long did not fail at its start, in milliseconds. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;

/** Node options of a role, and environment variables for its start. */
type Tuning = { options: string[]; env: Record<string, string> };

/**
 * `--max-semi-space-size` in MiB. With V8's default of 16, buffers of a fast upload grow to some 60 MiB before they are
 * collected, since socket reads are large but few objects. Indexing retains almost nothing: with 1, its memory is
 * constant for any file size, and it is no slower.
 *
 * Thread counts: 1 for reading files and 1 for compiling. With Node's default of four each, the threads wake each other
 * and displace the indexing thread from its processor, which costs a quarter of its time on two processors.
 */
const TUNING: Record<string, Tuning> = {
  api: { options: ['--max-semi-space-size=4'], env: {} },
  worker: { options: ['--max-semi-space-size=1', '--v8-pool-size=1'], env: { UV_THREADPOOL_SIZE: '1' } },
};

export type SupervisedChild = {
  /**
   * Resolves with the port of a role that has one, else with null. Rejects with the child's error if its first start
   * fails.
   */
  ready: Promise<number | null>;
  /** Stops the process in an orderly way and starts it again immediately. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

type KeepOptions = {
  script: string;
  role: string;
  order: () => StartMessage;
  onRestart: (role: string) => void;
  /** Called when the process asks for a restart of the whole server. */
  onRestartAsked?: (force: boolean) => void;
  /** Called when the process asks to switch to the release that the pointer names. */
  onSwitchAsked?: () => void;
};

/** Runs one role as a child process and restarts it when it ends. */
export function keepChild({
  script,
  role,
  order,
  onRestart,
  onRestartAsked,
  onSwitchAsked,
}: KeepOptions): SupervisedChild {
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let restarting = false;
  let wasReady = false;
  let failures = 0;
  const { options, env } = TUNING[role] ?? { options: [], env: {} };
  const { promise: ready, resolve, reject } = Promise.withResolvers<number | null>();

  function start(): void {
    const startedMs = performance.now();
    let words = `The ${role} process ended before it was ready`;
    const fresh = fork(script, [], {
      env: { ...env, ...childEnvironment(), OSPREY_ROLES: role },
      execArgv: [...process.execArgv, ...options],
      serialization: 'json',
    });
    child = fresh;
    fresh.send(order());
    fresh.on('message', (message: ChildMessage) => {
      if (message.kind === 'failed') words = message.text;
      else if (message.kind === 'restart') onRestartAsked?.(message.force);
      else if (message.kind === 'switch') onSwitchAsked?.();
      else {
        wasReady = true;
        resolve(message.port);
      }
    });
    fresh.once('exit', () => {
      child = null;
      if (!wasReady) reject(new Error(words));
      if (stopping || restarting || !wasReady) return;
      failures = performance.now() - startedMs > STEADY_MS ? 0 : failures + 1;
      onRestart(role);
      timer = setTimeout(start, Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** failures));
    });
  }

  async function end(): Promise<void> {
    const last = child;
    if (last === null) return;
    const ended = new Promise((resolve) => last.once('exit', resolve));
    last.kill('SIGTERM');
    const hard = setTimeout(() => last.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(hard);
  }

  start();
  return {
    ready,
    async restart() {
      // A child process that is waiting after a crash will be restarted anyway.
      if (stopping || restarting || child === null) return;
      restarting = true;
      await end();
      restarting = false;
      if (!stopping) start();
    },
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      await end();
    },
  };
}

/**
 * Returns the environment of a child process. Settings are passed in the start message, validated; secrets must not be
 * in the environment.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OSPREY_')));
}
