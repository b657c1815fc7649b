import { type Kysely, sql } from 'kysely';

/**
 * The frame that an annotation was drawn on. `frame_time` is its UTC as last derived; `start_time` and `end_time` are
 * those of then, and move with it. After a sensor is read again or shifted, open pages get a notice to ask again.
 */
const statements = [
  `alter table annotations
    -- It outlives its sensor and its file, and keeps its last times.
    add column sensor_id uuid references sensors (id) on delete set null,
    add column file_id uuid,
    add column run integer,
    add column pts bigint,
    add column frame_time bigint,
    add check ((file_id is null) = (run is null) and (file_id is null) = (pts is null)),
    add check (file_id is null or frame_time is not null)`,
  'create index annotations_of_sensor on annotations (sensor_id) where sensor_id is not null',
  `create function annotation_frames_moved() returns trigger language plpgsql as $$
  begin
    perform pg_notify('osprey_events',
        json_build_object('kind', 'changed', 'noun', 'annotations', 'ids', array[annotations.id])::text)
      from annotations where sensor_id = new.id and deleted_time is null;
    return null;
  end $$`,
  `create trigger annotation_frames_moved after update of index_key, time_shift on sensors
    for each row when ((new.index_key, new.time_shift) is distinct from (old.index_key, old.time_shift))
    execute function annotation_frames_moved()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
