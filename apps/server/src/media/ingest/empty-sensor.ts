import type { Updateable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

/** Columns of a sensor without a recording; ingest fills them later. */
export const EMPTY_SENSOR = {
  start_time: null,
  end_time: null,
  time_source: null,
  thumbnail: null,
  video: null,
  duration_seconds: null,
  klv_status: null,
  index_key: null,
  message: null,
} as const satisfies Updateable<Database['sensors']>;
