import { type ChildProcess, fork } from 'node:child_process';
import type { ChildMessage, StartMessage } from './messages.ts';

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 10_000;
/** A child that lived this long did not fail at its start. */
const STEADY_MS = 30_000;
const STOP_MS = 8000;

/** Node options of a role, and environment variables for its start. */
type Tuning = { options: string[]; env: Record<string, string> };

/**
 * `--max-semi-space-size`, MiB: with V8's 16 the buffers of a fast upload pile up to some 60 MiB before they are
 * collected: its socket reads are large and its objects few. Indexing keeps next to nothing, so that with 1 its memory
 * is the same for any size of file, and no slower.
 *
 * One thread that reads files and one that compiles: the four of each that Node takes by itself wake each other and
 * drive the one that indexes from its processor. On two processors that is a quarter of its time.
 */
const TUNING: Record<string, Tuning> = {
  api: { options: ['--max-semi-space-size=4'], env: {} },
  worker: { options: ['--max-semi-space-size=1', '--v8-pool-size=1'], env: { UV_THREADPOOL_SIZE: '1' } },
};

export type SupervisedChild = {
  /** The port, for the role that has one. Rejects with the child's own words when its first start fails. */
  ready: Promise<number | null>;
  /** Ends the process in good order and starts it again at once. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

type KeepOptions = {
  script: string;
  role: string;
  order: () => StartMessage;
  onRestart: (role: string) => void;
  /** The process asks for a restart of the whole server. */
  onRestartAsked?: (force: boolean) => void;
  /** The process asks for the release that the pointer names. */
  onSwitchAsked?: () => void;
};

/** Runs one role as a child process and starts it again when it dies. */
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
      timer = setTimeout(start, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));
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
      // While it waits after a crash it is on its way already.
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

/** Settings travel in the order, checked; secrets among them must not be in the environment of children. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OSPREY_')));
}
