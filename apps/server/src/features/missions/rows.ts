import {
  type AccessFacts,
  type Actor,
  type Asset,
  can,
  classificationOf,
  type Mission,
  type Sensor,
} from '@osprey/contract';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import { mediaEnding } from '../../base/storage/originals.ts';
import { damageSentence } from '../../base/stored/damage-sentence.ts';
import type { StoredFault } from '../../base/stored/stored-files.ts';

/** The reading actor, and a function that creates their media tokens. */
export type Viewer = { actor: Actor; mediaToken: (mission: { id: string; epoch: number }) => string | null };

/** Selects the columns of a list row: all but the outline of the area, which may be long. */
export function selectMission<T>(query: SelectQueryBuilder<Database, 'missions', T>) {
  const usergroups = sql<string[]>`array(
    select usergroup_id::text from mission_usergroups where mission_id = missions.id order by usergroup_id)`;
  return query
    .select([
      'missions.id',
      'missions.name',
      'missions.description',
      'missions.classification',
      'missions.marked',
      'missions.stream_mark',
      'missions.audience',
      'missions.country_code',
      'missions.country_name',
      'missions.rating',
      'missions.tags',
      'missions.state',
      'missions.platform_name',
      'missions.platform_type',
      'missions.platform_color',
      'missions.platform_id',
      'missions.sort_order',
      'missions.creation_time',
      'missions.start_time',
      'missions.end_time',
      'missions.area_sq_km',
      'missions.place_lon',
      'missions.place_lat',
      'missions.views',
      'missions.thumbnail',
      'missions.sample',
      'missions.message',
      'missions.revision',
      'missions.epoch',
      'missions.hold_reason',
      'missions.recording_start_time',
      'missions.recording_end_time',
    ])
    .select(usergroups.as('usergroups'));
}

export type MissionRow = Awaited<ReturnType<ReturnType<typeof selectMission<object>>['executeTakeFirstOrThrow']>>;

/** Returns the access facts of a mission with its id, so that the audit can refer to it. */
export function factsOf(
  row: Pick<MissionRow, 'id' | 'classification' | 'audience' | 'usergroups' | 'state'>,
): AccessFacts & { id: string } {
  return {
    id: row.id,
    securityClassification: classificationOf(row.classification),
    audience: row.audience,
    usergroups: row.usergroups,
    draft: row.state === 'Created',
  };
}

/** Returns the facts of a mission that are needed to apply marks of streams. */
export const markedMission = (row: MissionRow) => ({
  ...factsOf(row),
  name: row.name,
  startTime: row.start_time,
  endTime: row.end_time,
});

type FileJson = {
  file: Selectable<Database['files']>;
  /** Result of the last check of the file; null if no fault is known. */
  check: { fault: StoredFault; foundBytes: number | null; isAccepted: boolean } | null;
};

/** A sensor with its files and the progress of its ingest job, as one JSON value of the mission's row. */
type SensorJson = {
  sensor: Selectable<Database['sensors']>;
  files: FileJson[] | null;
  /** Progress in per cent; pictures are made in parallel and do not count. */
  progress: number | null;
};

/** Selects the columns of missions with sensors, files and jobs: one query for any number of rows. */
export function selectShown<T>(query: SelectQueryBuilder<Database, 'missions', T>) {
  const sensors = sql<SensorJson[] | null>`(
    select json_agg(json_build_object(
      'sensor', own,
      'files', (select json_agg(json_build_object('file', file, 'check', case when known.fault is not null then
          json_build_object('fault', known.fault, 'foundBytes', known.found_bytes, 'isAccepted', known.accepted is not null) end)
          order by file.position, file.created)
        from files file left join stored_checks known on known.file_id = file.id
        where file.sensor_id = own.id),
      'progress', (select max(job.progress) from jobs job where job.sensor_id = own.id
        and job.state in ('waiting', 'running') and job.kind in ('ingest', 'transcode', 'archive'))
    ) order by own.position, own.name)
    from sensors own where own.mission_id = missions.id)`;
  return selectMission(query).select(sensors.as('own_sensors'));
}

export type ShownRow = MissionRow & { own_sensors: SensorJson[] | null };

/** Converts rows to the API format. */
export function toMissions(rows: readonly ShownRow[], { actor, mediaToken }: Viewer): Mission[] {
  return rows.map((row) => {
    const showsDrafts = can(actor, 'mission.update', factsOf(row)).allowed;
    const own = (row.own_sensors ?? []).filter(({ sensor }) => showsDrafts || sensor.state !== 'Created');
    return toMission(row, { actor, sensors: own.map(toSensor), accessToken: mediaToken(row) });
  });
}

type Extras = { actor: Actor; sensors: Sensor[]; accessToken: string | null };

function toMission(row: MissionRow, { actor, sensors, accessToken }: Extras): Mission {
  const running = sensors.flatMap((sensor) => (sensor.progress === null ? [] : [sensor.progress]));
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    accessToken,
    thumbnail: picturePath(row.id, row.thumbnail),
    rating: row.rating,
    state: row.state as Mission['state'],
    creationTime: row.creation_time,
    startTime: row.start_time,
    endTime: row.end_time,
    recordingStartTime: row.recording_start_time,
    recordingEndTime: row.recording_end_time,
    platform: { name: row.platform_name, type: row.platform_type, presentation: { color: row.platform_color } },
    platformType: row.platform_type,
    platformId: row.platform_id,
    country_code: row.country_code,
    country_name: row.country_name,
    tags: row.tags,
    sortOrder: row.sort_order,
    sensors,
    views: row.views,
    securityClassification: classificationOf(row.classification),
    marked: row.marked,
    audience: row.audience,
    usergroups: row.usergroups.filter((id) => knowsGroup(actor, id)),
    areaSqKm: row.area_sq_km,
    place: row.place_lon === null || row.place_lat === null ? null : [row.place_lon, row.place_lat],
    sample: row.sample,
    progress: running.length === 0 ? null : running.reduce((sum, one) => sum + one, 0) / running.length,
    message: row.message,
    hold: can(actor, 'mission.update', factsOf(row)).allowed ? row.hold_reason : null,
    revision: row.revision,
  };
}

/** Path of a picture on this server, as required by the specification. */
export const picturePath = (missionId: string, file: string | null): string | null =>
  file === null ? null : `/videos/${missionId}/${file}`;

/** JSON that the ingest job writes into `sensors.video`. */
export type VideoColumn = { codec: string; width: number; height: number; frameRate: number | null };

function toSensor({ sensor: row, files, progress }: SensorJson): Sensor {
  const video = row.video as VideoColumn | null;
  return {
    _id: row.id,
    missionId: row.mission_id,
    name: row.name,
    description: row.description,
    type: row.type as Sensor['type'],
    state: row.state as Sensor['state'],
    creationTime: row.creation_time,
    startTime: row.start_time,
    endTime: row.end_time,
    recordingStartTime: row.recording_start_time,
    recordingEndTime: row.recording_end_time,
    views: row.views,
    thumbnail: picturePath(row.mission_id, row.thumbnail),
    hlsProps: video && {
      url: `/api/media/${row.id}/index.m3u8`,
      durationSeconds: row.duration_seconds ?? 0,
      renditions: [{ name: row.name, ...video }],
    },
    assets: (files ?? []).map(toAsset),
    timeSource: row.time_source as Sensor['timeSource'],
    timeShift: row.time_shift,
    klv: row.klv_status as Sensor['klv'],
    progress,
    message: row.message,
  };
}

function toAsset({ file: row, check }: FileJson): Asset {
  return {
    _id: row.id,
    path: `/api/media/${row.sensor_id}/${row.id}.${mediaEnding(row.kind)}`,
    name: row.name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    kind: row.kind as Asset['kind'],
    startTime: row.start_time,
    endTime: row.end_time,
    state: row.state as Asset['state'],
    message: [row.remark, row.message].filter(Boolean).join(' ') || null,
    ...(row.reading?.ais && { aisTimes: { start: row.reading.ais.startUs, perSecond: row.reading.ais.perSecond } }),
    ...(row.ais_dated && { aisDated: row.ais_dated }),
    ...(check && { damage: damageSentence({ ...check, sizeBytes: row.size_bytes }) }),
  };
}
