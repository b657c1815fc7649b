import { timeStamp } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { originalKey } from '../../base/storage/originals.ts';
import { EMPTY_SENSOR } from '../../media/ingest/empty-sensor.ts';
import type { RecordedFile, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';

export type RecordingRowDeps = { queue: Pick<JobQueue, 'enqueue'> };

/** `made`: the mission is new. `ended`: the rows of its files were written, and they wait for ingest. */
export type RowsWritten = { made: boolean; ended: boolean };

/**
 * Makes the rows of a recording match its journal: mission, sensors, and each completed file. Repeating this changes
 * nothing, and changes by users (label, usergroups, description) are kept. A recording that has stopped is queued for
 * ingest once.
 */
export async function writeRecording(
  { queue }: RecordingRowDeps,
  tx: Db,
  { recording, authorId = null }: { recording: Recording; authorId?: string | null },
): Promise<RowsWritten> {
  const made = await insertMission(tx, recording, authorId);
  for (const [position, sensor] of recording.sensors.entries()) await writeSensor(tx, recording, sensor, position);
  const ended = recording.state === 'stopped' && (await endMission({ queue }, tx, recording));
  return { made, ended };
}

async function insertMission(tx: Db, recording: Recording, authorId: string | null): Promise<boolean> {
  const { platform } = recording;
  const made = await tx
    .insertInto('missions')
    .values({
      id: recording.missionId,
      name: recording.missionName,
      description: recording.description,
      classification: recording.classification,
      marked: recording.marked,
      audience: recording.audience,
      tags: recording.tags,
      state: 'Running',
      platform_id: platform.platformId,
      platform_name: platform.name,
      platform_type: platform.type,
      platform_color: platform.color,
      author_id: authorId,
      creation_time: recording.startedUs,
      start_time: recording.startedUs,
      recording_start_time: recording.startedUs,
      ...{ country_code: null, country_name: null, rating: 0, sort_order: 0, stream_mark: null, end_time: null },
      ...{ area_sq_km: null, area: null, place_lon: null, place_lat: null, thumbnail: null, message: null },
      ...{ deleted_time: null, deleted_by: null },
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return false;
  // A usergroup deleted since the start is left out: its members lose access, and nobody gains any.
  await sql`insert into mission_usergroups (mission_id, usergroup_id)
    select ${recording.missionId}::uuid, id from usergroups where id = any (${recording.usergroups}::uuid[])`.execute(
    tx,
  );
  return true;
}

async function writeSensor(tx: Db, recording: Recording, sensor: RecordedSensor, position: number): Promise<void> {
  const startedUs = sensor.files[0]?.startedUs ?? recording.startedUs;
  const files = inOrder(sensor.files);
  await tx
    .insertInto('sensors')
    .values({
      ...EMPTY_SENSOR,
      id: sensor.sensorId,
      mission_id: recording.missionId,
      name: sensor.name,
      description: sensor.description,
      type: sensor.type,
      position,
      state: 'Running',
      creation_time: startedUs,
      start_time: startedUs,
      live_sensor_id: sensor.liveSensorId,
      recording_start_time: startedUs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const isRunning = sensor.state === 'recording';
  await asSystem(tx, 'recorder')
    .updateTable('sensors')
    .set({
      state: isRunning ? 'Running' : 'Stopped',
      recording_end_time: isRunning ? null : endOf(files),
      message: sensor.error,
    })
    .where('id', '=', sensor.sensorId)
    .where('state', 'in', ['Running', 'Stopped'])
    .execute();
  for (const file of files) if (file.endedUs !== null && file.sizeBytes > 0) await writeFile(tx, sensor, file);
}

async function writeFile(tx: Db, sensor: RecordedSensor, file: RecordedFile): Promise<void> {
  const { fileId, startedUs, endedUs, sizeBytes, durationSeconds, suspect } = file;
  const isAis = sensor.type === 'ais';
  await tx
    .insertInto('files')
    .values({
      id: fileId,
      sensor_id: sensor.sensorId,
      kind: isAis ? 'ais' : 'ts',
      name: `${timeStamp(startedUs)}.${isAis ? 'nmea' : 'ts'}`,
      size_bytes: sizeBytes,
      sha256: file.sha256 ?? null,
      storage_key: originalKey(sensor.sensorId, fileId, isAis ? 'nmea' : 'ts'),
      rendition_key: null,
      state: 'waiting',
      message: null,
      reading: file.klvPid === undefined ? null : JSON.stringify({ klvPid: file.klvPid }),
      remark: suspect ? 'The disk failed while this was written: its last seconds cannot be relied on.' : null,
      // For a stream without a clock: the time when its last picture arrived.
      last_modified: Math.round(startedUs + durationSeconds * 1e6),
      start_time: startedUs,
      end_time: endedUs,
      uploaded_by: null,
      created: startedUs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Ends a mission and queues ingest. Returns false if that was done before. */
async function endMission({ queue }: RecordingRowDeps, tx: Db, recording: Recording): Promise<boolean> {
  const { missionId, stopReason } = recording;
  const running = await asSystem(tx, 'recorder')
    .selectFrom('missions')
    .select('id')
    .where('id', '=', missionId)
    .where('state', '=', 'Running')
    .forUpdate()
    .executeTakeFirst();
  if (running === undefined) return false;
  let toIngest = 0;
  for (const { sensorId, files } of recording.sensors) {
    if (!files.some(({ sizeBytes }) => sizeBytes > 0)) continue;
    toIngest += 1;
    await setSensor(tx, sensorId, { state: 'Processing' });
    // If the indexes were created during recording, little work is left, so the job is queued as a quick one.
    const isIndexed = files.every(({ indexed, sizeBytes }) => indexed || sizeBytes === 0);
    await queue.enqueue(tx, 'ingest', { missionId, sensorId }, isIndexed ? 'quick' : 'first');
  }
  const ends = recording.sensors.map(({ files }) => endOf(inOrder(files)) ?? 0);
  const endedUs = Math.max(recording.startedUs, recording.endedUs ?? 0, ...ends);
  const reason = stopReason === null ? null : `The recording ended by itself: ${stopReason}.`;
  await asSystem(tx, 'recorder')
    .updateTable('missions')
    .set({ state: toIngest > 0 ? 'Processing' : 'Stopped', end_time: endedUs, recording_end_time: endedUs })
    .set({ message: sql`coalesce(message, ${toIngest > 0 ? reason : (reason ?? 'Nothing was recorded.')})` })
    .set({ revision: sql`revision + 1` })
    .where('id', '=', missionId)
    .execute();
  return true;
}

async function setSensor(tx: Db, sensorId: string, set: { state: string }): Promise<void> {
  await asSystem(tx, 'recorder').updateTable('sensors').set(set).where('id', '=', sensorId).execute();
}

/**
 * Returns the files in the order of recording, each with times after those of the previous one, even if the system
 * clock was set back, since they are played, exported and downloaded in the order of their names and times.
 */
function inOrder(files: readonly RecordedFile[]): RecordedFile[] {
  const placed: RecordedFile[] = [];
  for (const file of files) {
    const before = placed.at(-1);
    const isSetBack = before !== undefined && secondOf(file.startedUs) <= secondOf(before.startedUs);
    placed.push(isSetBack ? startedAt(file, behind(before)) : file);
  }
  return placed;
}

/** File names have a resolution of seconds. */
const secondOf = (timeUs: number): number => Math.floor(timeUs / 1e6);

const behind = ({ startedUs, durationSeconds }: RecordedFile): number =>
  Math.max(startedUs + Math.round(durationSeconds * 1e6), (secondOf(startedUs) + 1) * 1e6);

function startedAt(file: RecordedFile, startedUs: number): RecordedFile {
  const movedUs = startedUs - file.startedUs;
  return { ...file, startedUs, endedUs: file.endedUs === null ? null : file.endedUs + movedUs };
}

const endOf = (files: readonly RecordedFile[]): number | null =>
  files.reduce<number | null>((last, { endedUs }) => (endedUs === null ? last : Math.max(last ?? 0, endedUs)), null);
