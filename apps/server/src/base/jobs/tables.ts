import type { Generated } from 'kysely';
import type { Json } from '../db/schema.ts';

declare module '../db/schema.ts' {
  interface Database {
    jobs: {
      id: Generated<string>;
      kind: string;
      state: Generated<string>;
      /** Mission and sensor of a recording; null for jobs on documents. */
      mission_id: string | null;
      sensor_id: string | null;
      file_id: string | null;
      document_id: string | null;
      /** One of the values of JOB_PRIORITY. */
      priority: Generated<number>;
      progress: Generated<number>;
      attempts: Generated<number>;
      error: string | null;
      created: number;
      heartbeat: number | null;
    };
    /** Exports and imports, each visible only to its user. */
    tasks: {
      id: Generated<string>;
      kind: string;
      user_id: string;
      state: string;
      /** Names shown in the list of tasks. */
      title: string;
      input: Json<unknown>;
      result: Json<unknown> | null;
      progress: Generated<number>;
      attempts: Generated<number>;
      error: string | null;
      size_bytes: number | null;
      /** For imports: number of uploaded bytes that are safely on disk. */
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
