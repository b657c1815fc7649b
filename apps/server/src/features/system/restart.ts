import { AppError, RESTART_EVERY_SECONDS, shutdown } from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';

export type Restart = {
  /** The recorder goes on unless it is forced. */
  ask: (force: boolean) => void;
  /** Ends the server for the release that the pointer names; the recorder goes on. */
  switchRelease: () => void;
  /** This process was started by a restart that an admin asked for. */
  wasAsked: boolean;
};

export type RestartDeps = Http & { restart: Restart | null; nowMs: () => number };

/** Route of a restart on demand. A process that such a restart began refuses another one for some time. */
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
    // The caller reads the answer first.
    reply.raw.once('finish', () => restart.ask(query.force ?? false));
    return { message: 'Restarting the server...' };
  });
}
