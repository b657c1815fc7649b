import { type Kysely, sql } from 'kysely';

/** Rows of a recording: its platform, its span, and which sources a user switched on or off. */
const statements = [
  // Null: as the platform's autostart says.
  `alter table platform_sensors add column switched boolean`,
  `alter table missions
    add column platform_id uuid,
    add column recording_start_time bigint,
    add column recording_end_time bigint`,
  `create index missions_running on missions (platform_id) where state = 'Running'`,
  `alter table sensors
    add column live_sensor_id uuid,
    add column recording_start_time bigint,
    add column recording_end_time bigint`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
