import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { originalKey, originalsOf } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { mendFile, mendLines } from '../../recorder/recordings/mend.ts';
import type { RecordedFile, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

/** Reason for the end of the recording, shown with the mission. */
const REASON = 'its journal was lost, and what lay on the disk was kept';

export type ForgottenDeps = {
  db: Kysely<Database>;
  storage: Storage;
  mirror: Pick<RecorderMirror, 'recordings'>;
};

/**
 * Finds missions that are marked as recording but have no journal, because the folder of live data was lost. Returns
 * them as stopped recordings with the files that exist. Call this after the recorder has sent its state.
 */
export async function forgottenRecordings({ db, storage, mirror }: ForgottenDeps): Promise<Recording[]> {
  const rows = await asSystem(db, 'recorder')
    .selectFrom('missions')
    .innerJoin('sensors', 'sensors.mission_id', 'missions.id')
    .where('missions.state', '=', 'Running')
    .where('missions.platform_id', 'is not', null)
    .where('sensors.live_sensor_id', 'is not', null)
    .orderBy('sensors.position')
    .select([
      ...(['missions.id as missionId', 'missions.name as missionName', 'missions.classification'] as const),
      ...(['missions.audience', 'missions.platform_id', 'missions.creation_time as begunUs'] as const),
      ...(['sensors.id as sensorId', 'sensors.name', 'sensors.type', 'sensors.live_sensor_id'] as const),
      'sensors.recording_start_time as startedUs',
    ])
    .$narrowType<{ platform_id: string; live_sensor_id: string }>()
    .execute();
  const existing = new Set(mirror.recordings().map(({ missionId }) => missionId));
  const forgotten = Map.groupBy(
    rows.filter(({ missionId }) => !existing.has(missionId)),
    ({ missionId }) => missionId,
  );
  return Promise.all(
    [...forgotten.values()].map(async (own) => {
      const sensors = await Promise.all(
        own.map(
          async ({ sensorId, name, type, live_sensor_id, startedUs, begunUs }): Promise<RecordedSensor> => ({
            ...{ sensorId, name, description: '', state: 'stopped', error: null },
            liveSensorId: live_sensor_id,
            type: type === 'ais' ? 'ais' : 'video',
            files: await filesOf(sensorId, type, startedUs ?? begunUs),
          }),
        ),
      );
      return stoppedRecording(own[0]!, sensors);
    }),
  );

  /** Returns the files that have rows, followed by those that were never completed. */
  async function filesOf(sensorId: string, type: string, startedUs: number): Promise<RecordedFile[]> {
    const ended = await asSystem(db, 'recorder')
      .selectFrom('files')
      .where('sensor_id', '=', sensorId)
      .orderBy('start_time')
      .select(['id', 'start_time', 'end_time', 'size_bytes'])
      .execute();
    const ending = type === 'ais' ? 'nmea' : 'ts';
    const files = ended.map(({ id, start_time, end_time, size_bytes }) =>
      fileOf(id, { startedUs: start_time ?? startedUs, endedUs: end_time ?? startedUs, sizeBytes: size_bytes }),
    );
    const found = [];
    for await (const file of storage.list(originalsOf(sensorId))) found.push(file);
    for (const { key } of found.sort((a, b) => a.modifiedMs - b.modifiedMs)) {
      const fileId = key.slice(key.lastIndexOf('/') + 1).replace(/\.(?:ts|nmea)$/, '');
      if (key !== originalKey(sensorId, fileId, ending) || ended.some(({ id }) => id === fileId)) continue;
      const complete = await (type === 'ais' ? mendLines : mendFile)(storage, key);
      if (complete === null) continue;
      const beginsUs = files.at(-1)?.endedUs ?? startedUs;
      const endedUs = Math.max(beginsUs, Math.round(complete.modifiedMs * 1000));
      files.push(fileOf(fileId, { startedUs: beginsUs, endedUs, sizeBytes: complete.sizeBytes }));
    }
    return files;
  }
}

type Span = { startedUs: number; endedUs: number; sizeBytes: number };

const fileOf = (fileId: string, { startedUs, endedUs, sizeBytes }: Span): RecordedFile => ({
  ...{ fileId, startedUs, endedUs, sizeBytes },
  durationSeconds: (endedUs - startedUs) / 1e6,
  // The reason why the file began is lost with the journal.
  ...{ segments: 0, indexed: false, suspect: false, cause: 'start' },
});

type Row = {
  missionId: string;
  missionName: string;
  classification: number;
  audience: 'everyone' | 'groups';
  platform_id: string;
  begunUs: number;
};

/**
 * Describes a recording whose journal is lost, so that its end can be written. The other fields are not used, since the
 * rows of the recording exist and do not change.
 */
const stoppedRecording = (row: Row, sensors: RecordedSensor[]): Recording => ({
  ...{ missionId: row.missionId, missionName: row.missionName, description: '', tags: [] },
  platform: { platformId: row.platform_id, name: '', type: '', color: '' },
  ...{ classification: row.classification, marked: true, audience: row.audience, usergroups: [] },
  ...{ priority: 1, cause: 'manual', state: 'stopped', startedUs: row.begunUs },
  endedUs: Math.max(row.begunUs, ...sensors.flatMap(({ files }) => files.map(({ endedUs }) => endedUs ?? 0))),
  stopReason: REASON,
  sensors,
});
