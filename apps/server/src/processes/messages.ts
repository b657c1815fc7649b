import type { Config } from '../base/config/config.ts';

/** Start message from the main process to a child process, sent once. */
export type StartMessage = {
  config: Readonly<Config>;
  databaseUrl: string;
  setupCode: string | null;
  tls: { certFile: string; keyFile: string } | null;
  /** True if an admin requested the restart. */
  restarted: boolean;
  /** For the recorder: true if the previous one crashed. */
  wasCrash?: boolean;
};

/** Messages from a child process to the main process. */
export type ChildMessage =
  | { kind: 'ready'; port: number | null }
  | { kind: 'failed'; text: string }
  /** An admin requests a restart of all processes; without `force` the recorder keeps running. */
  | { kind: 'restart'; force: boolean }
  /** The pointer names another release: all processes except the recorder exit, and that release starts. */
  | { kind: 'switch' };

/** Messages from the main process of a release to its launcher. */
export type ReleaseMessage =
  | { kind: 'ready'; host: string; port: number; tls: boolean }
  /** This release has exited so that another one can start. */
  | { kind: 'switch' };
