import type { Config } from '../base/config/config.ts';

/** Start message from main to a child, sent once. */
export type StartMessage = {
  config: Readonly<Config>;
  databaseUrl: string;
  setupCode: string | null;
  tls: { certFile: string; keyFile: string } | null;
  /** True if an admin ordered the restart. */
  restarted: boolean;
  /** For the recorder: true if the previous one crashed. */
  wasCrash?: boolean;
};

/** Messages from a child to main. */
export type ChildMessage =
  | { kind: 'ready'; port: number | null }
  | { kind: 'failed'; text: string }
  /** An admin requests a restart of all processes; without `force` the recorder continues. */
  | { kind: 'restart'; force: boolean }
  /** The pointer names another release: all processes except the recorder end, and that release starts. */
  | { kind: 'switch' };

/** Messages from the main process of a release to its launcher. */
export type ReleaseMessage =
  | { kind: 'ready'; host: string; port: number; tls: boolean }
  /** This release has ended so that another one can start. */
  | { kind: 'switch' };
