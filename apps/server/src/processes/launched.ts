import type { ReleaseMessage } from './messages.ts';

/** Signals that stop a server in an orderly way. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Environment variable set by the process that starts a release. */
export const LAUNCHED = 'OSPREY_LAUNCHED';

/** Connection to the process that started this one as a release; null for a server started directly. */
export type Launcher = {
  ready: (at: { host: string; port: number; tls: boolean }) => void;
  /** Registers a callback that is called when the launcher has exited, or abandons this release. */
  onGone: (gone: () => void) => void;
};

export function launcherOf(env: NodeJS.ProcessEnv): Launcher | null {
  if (env[LAUNCHED] === undefined || process.send === undefined) return null;
  return {
    ready: (at) => void process.send?.({ kind: 'ready', ...at } satisfies ReleaseMessage),
    onGone: (gone) => void process.once('disconnect', gone),
  };
}

/** Ends this process so that another release can start. */
export function endForSwitch(): void {
  process.send?.({ kind: 'switch' } satisfies ReleaseMessage, () => process.exit(0));
}
