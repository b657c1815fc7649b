import type { Generated } from 'kysely';
import type { Json } from '../db/schema.ts';

declare module '../db/schema.ts' {
  interface Database {
    jobs: {
      id: Generated<string>;
      kind: string;
      state: Generated<string>;
      /** Mission and sensor of a recording; null for the job of a document. */
      mission_id: string | null;
      sensor_id: string | null;
      file_id: string | null;
      document_id: string | null;
      /** As JOB_PRIORITY has them. */
      priority: Generated<number>;
      progress: Generated<number>;
      attempts: Generated<number>;
      error: string | null;
      created: number;
      heartbeat: number | null;
    };
    /** Exports and imports, each its user's own. */
    tasks: {
      id: Generated<string>;
      kind: string;
      user_id: string;
      state: string;
      /** Names for the list. */
      title: string;
      input: Json<unknown>;
      result: Json<unknown> | null;
      progress: Generated<number>;
      attempts: Generated<number>;
      error: string | null;
      size_bytes: number | null;
      /** Imports: durable bytes of the upload. */
      offset_bytes: number | null;
      storage_key: string | null;
      created: number;
      ended: number | null;
      heartbeat: number | null;
      /** Ceiling of the session that ordered it. */
      ceiling: Generated<number>;
    };
  }
}
