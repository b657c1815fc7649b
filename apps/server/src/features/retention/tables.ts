import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** `days` after its end a mission of this usergroup and platform goes to the bin; null means any. */
    retention_rules: {
      id: Generated<string>;
      usergroup_id: string | null;
      platform: string | null;
      days: number;
      created: number;
      created_by: string | null;
      /** Ceiling of the session that changed it last. */
      ceiling: Generated<number>;
    };
  }
}
