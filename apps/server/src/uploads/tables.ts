import type { Generated } from 'kysely';

declare module '../base/db/schema.ts' {
  interface Database {
    uploads: {
      id: Generated<string>;
      user_id: string;
      /** Null if the upload is not for a sensor but will become a document. */
      sensor_id: string | null;
      name: string;
      size_bytes: number;
      /** Number of bytes received and durable so far. */
      offset_bytes: Generated<number>;
      last_modified: number | null;
      storage_key: string;
      created: number;
      updated: number;
    };
  }
}
