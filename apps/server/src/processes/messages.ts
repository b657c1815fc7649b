import type { Config } from '../base/config/config.ts';

/** From main to a child, once. */
export type StartMessage = {
  config: Readonly<Config>;
  databaseUrl: string;
  setupCode: string | null;
  tls: { certFile: string; keyFile: string } | null;
  /** This start belongs to a restart that an admin ordered. */
  restarted: boolean;
  /** To the recorder: the one before it crashed. */
  wasCrash?: boolean;
};

/** From a child to main. */
export type ChildMessage =
  | { kind: 'ready'; port: number | null }
  | { kind: 'failed'; text: string }
  /** An admin wants all processes started again; without `force` the recorder goes on. */
  | { kind: 'restart'; force: boolean }
  /** The pointer names another release: the server ends, except for the recorder, and begins as that. */
  | { kind: 'switch' };

/** From the main process of a release to the one that started it. */
export type ReleaseMessage =
  | { kind: 'ready'; host: string; port: number; tls: boolean }
  /** This release has ended so that another one can begin. */
  | { kind: 'switch' };
