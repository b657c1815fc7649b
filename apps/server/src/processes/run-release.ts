import { type ChildProcess, spawn } from 'node:child_process';
import { UPDATE_HEALTHY_MINUTES } from '@osprey/contract';
import { completeRelease, type Pointer, type Release, writePointer } from '../features/updates/pointer.ts';
import { isUp, type Place } from './health-probe.ts';
import { LAUNCHED, SIGNALS } from './launched.ts';
import type { ReleaseMessage } from './messages.ts';

/** Maximum number of starts of a version whose trial was interrupted, for example because the machine failed. */
const STARTS_MAX = 3;
const CHECK_MS = 250;
/** Time for which a new version must stay healthy to pass its trial, in milliseconds. */
const STEADY_MS = 3000;
/** Time allowed for a server to stop in an orderly way, in milliseconds. */
const END_MS = 15_000;

type Running = {
  release: Release;
  pointer: Pointer;
  dataDir: string;
  args: readonly string[];
  warn: (line: string) => void;
  /** Time limit for a new version to become healthy, in milliseconds. */
  healthyMs?: number;
  steadyMs?: number;
};

/**
 * Runs a release in a separate process until it exits; this process then exits with the same code. Returns instead if
 * another version is to start, because the release requested it or failed its trial.
 */
export async function runRelease(running: Running): Promise<void> {
  const { release, pointer, dataDir, warn } = running;
  const { trial } = pointer;
  if (trial !== null && trial.starts >= STARTS_MAX) {
    return rollBack(running, `It was started ${STARTS_MAX} times and ended each time before it was healthy.`);
  }
  if (trial !== null) await writePointer(dataDir, { ...pointer, trial: { ...trial, starts: trial.starts + 1 } });
  const child = begin(running);
  let isStopped = false;
  const onSignal = () => {
    isStopped = true;
    child.process.kill('SIGTERM');
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    if (trial !== null) {
      const fault = await child.faultWithin(
        running.healthyMs ?? UPDATE_HEALTHY_MINUTES * 60_000,
        running.steadyMs ?? STEADY_MS,
      );
      // A server that was stopped did not fail its trial; the trial begins again at the next start.
      if (isStopped) await writePointer(dataDir, pointer);
      else if (fault !== null) {
        await child.giveUp();
        return await rollBack(running, fault);
      } else await accept(running);
    }
    const code = await child.ended;
    if (isStopped || !child.asksForSwitch()) process.exit(code);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  warn(`Version ${release.version} ended for another one to begin.`);
}

async function accept({ dataDir, pointer, release: { version }, warn }: Running): Promise<void> {
  const from = pointer.trial?.from ?? '';
  const last = { from, version, result: 'done' as const, reason: null, time: Date.now() * 1000, restored: null };
  await writePointer(dataDir, { ...pointer, trial: null, restoreFromUs: null, last });
  warn(`The server was updated from version ${from} to ${version}.`);
}

/** Returns to the old version, which restores its database schema itself: see `processes/undo-schema.ts`. */
async function rollBack({ dataDir, pointer, release: { version }, warn }: Running, reason: string): Promise<void> {
  const { trial } = pointer;
  if (trial === null) return;
  const last = {
    from: trial.from,
    version,
    result: 'rolledBack' as const,
    reason,
    time: Date.now() * 1000,
    restored: null,
  };
  const previous = trial.previous === null ? null : await completeRelease(dataDir, trial.previous);
  await writePointer(dataDir, {
    ...pointer,
    version: previous?.version ?? null,
    trial: null,
    restoreFromUs: trial.startedUs,
    last,
  });
  warn(`Version ${version} was given up, and version ${trial.from} begins again: ${reason}`);
}

/** Starts the main process of the release with the same data folder, options and environment. */
function begin({ release, dataDir, args }: Running) {
  const { NODE_COMPILE_CACHE: _ours, ...env } = process.env;
  const child = spawn(release.node, [release.main, ...args], {
    env: { ...env, OSPREY_DATA: dataDir, [LAUNCHED]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let place: Place | null = null;
  let asksForSwitch = false;
  let exit: string | null = null;
  child.on('message', (message: ReleaseMessage) => {
    if (message.kind === 'ready') place = message;
    else if (message.kind === 'switch') asksForSwitch = true;
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      exit = `It could not be started: ${error.message}.`;
      resolve(1);
    });
    child.once('exit', (code, signal) => {
      exit ??= `It ended before it was healthy, with ${signal ?? `code ${code}`}.`;
      resolve(code ?? 1);
    });
  });

  /**
   * Waits for the release to be healthy for long enough. Returns null if it was, otherwise the reason why it was not.
   */
  async function faultWithin(ms: number, steadyMs: number): Promise<string | null> {
    const untilMs = performance.now() + ms;
    let sinceMs: number | null = null;
    while (performance.now() < untilMs) {
      if (exit !== null) return exit;
      const isHealthy = place !== null && (await isUp(place));
      sinceMs = isHealthy ? (sinceMs ?? performance.now()) : null;
      if (sinceMs !== null && performance.now() - sinceMs >= steadyMs) return null;
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CHECK_MS))]);
    }
    return `It was not healthy within ${Math.round(ms / 1000)} s.`;
  }

  return {
    process: child,
    ended,
    faultWithin,
    asksForSwitch: () => asksForSwitch,
    giveUp: () => giveUp(child, ended),
  };
}

/** Stops the release by disconnecting, since a signal would stop the recorder too. */
async function giveUp(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.connected) child.disconnect();
  const hard = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(hard);
}
