import { AppError, RESTART_EVERY_SECONDS, shutdown } from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';

export type Restart = {
  /** Restarts the server. The recorder keeps running unless `force` is true. */
  ask: (force: boolean) => void;
  /** Stops the server so that it starts with the release that the pointer names; the recorder keeps running. */
  switchRelease: () => void;
  /** True if this process was started by a restart that an admin requested. */
  wasAsked: boolean;
};

export type RestartDeps = Http & { restart: Restart | null; nowMs: () => number };

/** Route that restarts the server. A process started by such a restart refuses another one for some time. */
export function restartRoutes(deps: RestartDeps): void {
  const { restart, nowMs } = deps;
  let freeMs = restart?.wasAsked ? nowMs() + RESTART_EVERY_SECONDS * 1000 : Number.NEGATIVE_INFINITY;

  callRoute(deps, shutdown, async ({ input: { query }, reply, audit }) => {
    if (!query.restart) throw new AppError('ruleRefused', { reason: 'The server can be restarted, not switched off.' });
    if (restart === null) throw new AppError('unavailable');
    const waitMs = freeMs - nowMs();
    if (waitMs > 0) throw new AppError('tooManyRequests', { seconds: String(Math.ceil(waitMs / 1000)) });
    freeMs = nowMs() + RESTART_EVERY_SECONDS * 1000;
    await audit.write({ action: 'server.restart', result: query.force ? 'force' : 'restart' });
    // Restart only after the response has been sent.
    reply.raw.once('finish', () => restart.ask(query.force ?? false));
    return { message: 'Restarting the server...' };
  });
}
