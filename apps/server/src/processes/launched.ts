import type { ReleaseMessage } from './messages.ts';

/** Signals that end a server in good order. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Set by the process that starts a release. */
export const LAUNCHED = 'OSPREY_LAUNCHED';

/** The process that started this one, as a release; null for a server that was started by hand. */
export type Launcher = {
  ready: (at: { host: string; port: number; tls: boolean }) => void;
  /** Calls when the starting process ended, or gives this release up. */
  onGone: (gone: () => void) => void;
};

export function launcherOf(env: NodeJS.ProcessEnv): Launcher | null {
  if (env[LAUNCHED] === undefined || process.send === undefined) return null;
  return {
    ready: (at) => void process.send?.({ kind: 'ready', ...at } satisfies ReleaseMessage),
    onGone: (gone) => void process.once('disconnect', gone),
  };
}

/** Ends this process for another release to begin. */
export function endForSwitch(): void {
  process.send?.({ kind: 'switch' } satisfies ReleaseMessage, () => process.exit(0));
}
