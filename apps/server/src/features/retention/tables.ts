import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /**
     * A mission of this usergroup and platform is moved to the bin `days` after its end; null means any usergroup or
     * platform.
     */
    retention_rules: {
      id: Generated<string>;
      usergroup_id: string | null;
      platform: string | null;
      days: number;
      created: number;
      created_by: string | null;
      /** Ceiling of the session in which the rule was last changed. */
      ceiling: Generated<number>;
    };
  }
}
