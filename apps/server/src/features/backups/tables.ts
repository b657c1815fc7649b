import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** Runs of backup operations. The backups themselves are in their directory. */
    backup_runs: {
      id: Generated<string>;
      name: string;
      /** `restore`: puts one stored file back. */
      kind: 'create' | 'verify' | 'delete' | 'restore';
      origin: 'schedule' | 'manual' | 'command' | 'migration';
      state: Generated<'waiting' | 'running' | 'done' | 'failed'>;
      /** Progress in percent. */
      progress: Generated<number>;
      error: string | null;
      requested_by: string | null;
      created: number;
      finished: number | null;
      /** The file or document to be restored. */
      item_id: Generated<string | null>;
    };
  }
}
