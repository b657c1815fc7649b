import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** Runs of backups; the backups themselves are in their folder. */
    backup_runs: {
      id: Generated<string>;
      name: string;
      /** `restore`: puts one stored file back. */
      kind: 'create' | 'verify' | 'delete' | 'restore';
      origin: 'schedule' | 'manual' | 'command' | 'migration';
      state: Generated<'waiting' | 'running' | 'done' | 'failed'>;
      /** Percent. */
      progress: Generated<number>;
      error: string | null;
      requested_by: string | null;
      created: number;
      finished: number | null;
      /** The file or document that is put back. */
      item_id: Generated<string | null>;
    };
  }
}
