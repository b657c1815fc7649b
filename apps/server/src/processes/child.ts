import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { createLog } from './log.ts';
import type { ChildMessage, StartMessage } from './messages.ts';

/** Time limit of a stop, in milliseconds, below the ten seconds allowed for the whole server. */
const STOP_MS = 7000;
/**
 * Nice value of the worker: on a busy machine it gets a third of the processor share of the others, and is never
 * starved.
 */
const WORKER_NICE = 5;

type Running = { close: () => Promise<void> };

const exit = () => process.exit(0);

/**
 * Runs one role in this process: waits for its start message, works, and ends on command or when its parent process has
 * exited; only the recorder continues without a parent.
 */
export async function runChild(role: Role): Promise<void> {
  // Ctrl-C signals the whole terminal; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  const order = await new Promise<StartMessage>((resolve) => {
    process.once('message', (message) => resolve(message as StartMessage));
    process.once('disconnect', exit);
  });
  process.off('disconnect', exit);
  const log = createLog(order.config.logLevel, { target: order.config.syslog, role });
  let running: Running | null = null;
  let ending = false;

  async function end(): Promise<void> {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await running?.close();
    process.exit(0);
  }
  const endOrFail = () => {
    end().catch((error) => {
      log.error({ error }, 'stopping failed');
      process.exit(1);
    });
  };
  if (role !== 'recorder') process.once('disconnect', endOrFail);
  process.once('SIGTERM', endOrFail);
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));

  try {
    running = await starters[role](order, log, endOrFail);
    // Flush here too, since a killed process does not reach its end.
    flushCompileCache();
  } catch (error) {
    notify({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
    log.error({ error }, `${role} did not start`);
    process.exit(1);
  }
}

type Log = ReturnType<typeof createLog>;

async function startApi({ config, databaseUrl, setupCode, tls, restarted }: StartMessage, log: Log): Promise<Running> {
  const { composeApi } = await import('../compose/api.ts');
  const api = await composeApi({
    config,
    databaseUrl,
    setupCode,
    tls,
    log,
    restart: {
      ask: (force) => notify({ kind: 'restart', force }),
      switchRelease: () => notify({ kind: 'switch' }),
      wasAsked: restarted,
    },
  });
  const { port } = await api.listen();
  notify({ kind: 'ready', port });
  return api;
}

async function startWorker({ config, databaseUrl }: StartMessage, log: Log): Promise<Running> {
  // Lower priority, since viewers and recordings come first; the decoders that the worker starts inherit it.
  setPriority(WORKER_NICE);
  const { composeWorker } = await import('../compose/worker.ts');
  const worker = await composeWorker({ config, databaseUrl, log });
  await worker.start();
  notify({ kind: 'ready', port: null });
  return worker;
}

async function startRecorder(
  { config, wasCrash = false }: StartMessage,
  log: Log,
  onEnd: () => void,
): Promise<Running> {
  const { composeRecorder } = await import('../compose/recorder.ts');
  const recorder = await composeRecorder({ config, log, wasCrash, onEnd });
  await recorder.start();
  notify({ kind: 'ready', port: null });
  return recorder;
}

async function startGateway({ config }: StartMessage, log: Log): Promise<Running> {
  const { composeGateway } = await import('../compose/gateway.ts');
  const gateway = composeGateway({ config, log });
  await gateway.start();
  notify({ kind: 'ready', port: null });
  return gateway;
}

const starters = { api: startApi, worker: startWorker, recorder: startRecorder, gateway: startGateway };
export type Role = keyof typeof starters;

export const isRole = (role: string): role is Role => role in starters;

function notify(message: ChildMessage): void {
  process.send?.(message);
}
