import type { Generated } from 'kysely';
import type { Json } from '../../base/db/schema.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    watch_folders: {
      id: Generated<string>;
      path: string;
      /** Null: no label, treated as the highest label of the installation. */
      classification: number | null;
      audience: 'everyone' | 'groups';
      usergroups: string[];
      platform: Json<unknown>;
      move_files: Generated<boolean>;
      enabled: Generated<boolean>;
      from_configuration: Generated<boolean>;
      /** The account in whose name missions are created from the folder; null for the system. */
      user_id: string | null;
      /** Reason why the folder cannot be read. */
      problem: string | null;
      created: number;
    };
    intake_files: {
      id: Generated<string>;
      folder_id: string;
      name: string;
      size_bytes: number;
      modified_ms: number;
      sha256: string | null;
      outcome: 'taken' | 'duplicate' | 'refused';
      reason: string | null;
      mission_id: string | null;
      time: number;
    };
  }
}
