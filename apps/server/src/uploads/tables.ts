import type { Generated } from 'kysely';

declare module '../base/db/schema.ts' {
  interface Database {
    uploads: {
      id: Generated<string>;
      user_id: string;
      /** Null: the upload waits to become a document. */
      sensor_id: string | null;
      name: string;
      size_bytes: number;
      /** Number of durable bytes so far. */
      offset_bytes: Generated<number>;
      last_modified: number | null;
      storage_key: string;
      created: number;
      updated: number;
    };
  }
}
