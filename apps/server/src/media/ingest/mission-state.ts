import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

/** Marks a sensor as failed after the last attempt. It shows the reason, and can still play what it played before. */
export async function stopSensor(db: Kysely<Database>, sensorId: string, sentence: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({ state: sql`case when index_key is null then 'Stopped' else 'Ready' end`, message: sentence })
      .where('id', '=', sensorId)
      .returning('mission_id')
      .executeTakeFirst();
    await asSystem(tx, 'ingest')
      .updateTable('files')
      .set({ state: 'failed', message: sentence })
      .where('sensor_id', '=', sensorId)
      .where('state', 'in', ['waiting', 'processing'])
      .execute();
    if (row) await settleMission(tx, row.mission_id);
  });
}

/** Clears the error of an earlier attempt before another one. Returns false if nothing had failed. */
export async function resumeSensor(db: Kysely<Database>, sensorId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const failed = await asSystem(tx, 'ingest')
      .updateTable('files')
      .set({ state: 'waiting', message: null })
      .where('sensor_id', '=', sensorId)
      .where('state', '=', 'failed')
      .executeTakeFirst();
    if (failed.numUpdatedRows === 0n) return false;
    const row = await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({ state: sql`case when state = 'Stopped' then 'Processing' else state end`, message: null })
      .where('id', '=', sensorId)
      .returning('mission_id')
      .executeTakeFirst();
    if (row) await settleMission(tx, row.mission_id);
    return true;
  });
}

/**
 * Called when the video of a file could not be converted: its telemetry is shown nevertheless, and the file gets the
 * reason as its message. The sensor keeps processing while other files of it are being converted.
 */
export async function endWithoutRendition(
  db: Kysely<Database>,
  { sensorId, fileId, sentence }: { sensorId: string; fileId: string | null; sentence: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const others = sql`(select from jobs where jobs.sensor_id = sensors.id and jobs.kind = 'transcode'
      and jobs.state in ('waiting', 'running') and jobs.file_id is distinct from ${fileId})`;
    const row = await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({ state: sql`case when exists ${others} then 'Processing' else 'Ready' end`, message: sentence })
      .where('id', '=', sensorId)
      .where('state', '=', 'Processing')
      .returning('mission_id')
      .executeTakeFirst();
    if (fileId !== null) {
      await asSystem(tx, 'ingest').updateTable('files').set({ message: sentence }).where('id', '=', fileId).execute();
    }
    if (row) await settleMission(tx, row.mission_id);
  });
}

/**
 * Derives state, times and message of a mission from its sensors that have a recording; if there are none, a mission in
 * state Processing returns to Created.
 */
export async function settleMission(tx: Db, missionId: string): Promise<void> {
  const own = sql`(select * from sensors where sensors.mission_id = missions.id and sensors.state <> 'Created')`;
  await asSystem(tx, 'ingest')
    .updateTable('missions')
    .set({
      state: sql`case
        when exists (select from ${own} own where own.state = 'Running') then 'Running'
        when exists (select from ${own} own where own.state = 'Processing') then 'Processing'
        when exists (select from ${own} own where own.state = 'Ready') then 'Ready'
        when exists (select from ${own} own where own.state = 'Stopped') then 'Stopped'
        when missions.state = 'Processing' then 'Created'
        else missions.state end`,
      start_time: sql`(select min(start_time) from ${own} own)`,
      end_time: sql`(select max(end_time) from ${own} own)`,
      message: sql`coalesce(
        case when missions.message like 'label\\_conflict%' or missions.message like 'The recording ended by itself%'
          then missions.message end,
        (select own.message from ${own} own where own.message is not null order by own.position limit 1))`,
    })
    .where('id', '=', missionId)
    .execute();
}
