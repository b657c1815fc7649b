import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import { EMPTY_SENSOR } from '../src/media/ingest/empty-sensor.ts';

const plainMission: Omit<Insertable<Database['missions']>, 'name'> = {
  description: '',
  classification: 1,
  marked: true,
  stream_mark: null,
  audience: 'everyone',
  country_code: null,
  country_name: null,
  rating: 0,
  tags: [],
  platform_name: '',
  platform_type: '',
  platform_color: '',
  sort_order: 0,
  author_id: null,
  creation_time: 0,
  start_time: null,
  end_time: null,
  area_sq_km: null,
  area: null,
  place_lon: null,
  place_lat: null,
  thumbnail: null,
  message: null,
  deleted_time: null,
  deleted_by: null,
};

/** A mission for everyone, UNCLASSIFIED and in state Created, unless `fields` say else. */
export async function addMission(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['missions']>> = {},
): Promise<string> {
  const row = { ...plainMission, name: `m-${crypto.randomUUID()}`, ...fields };
  return (await db.insertInto('missions').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** A video sensor of a mission, in state Created. */
export async function addSensor(
  db: Kysely<Database>,
  missionId: string,
  fields: Partial<Insertable<Database['sensors']>> = {},
): Promise<string> {
  const row = {
    mission_id: missionId,
    name: 'EO/IR',
    description: '',
    type: 'video',
    position: 0,
    creation_time: 0,
    ...EMPTY_SENSOR,
    ...fields,
  };
  return (await db.insertInto('sensors').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Inserts the row of a transport stream of one packet (188 bytes). The caller writes the bytes to storage. */
export async function addFile(
  db: Kysely<Database>,
  sensorId: string,
  fields: Pick<Insertable<Database['files']>, 'storage_key'> & Partial<Insertable<Database['files']>>,
): Promise<string> {
  const none = { sha256: null, rendition_key: null, message: null, last_modified: null, start_time: null };
  const file = { sensor_id: sensorId, kind: 'ts', name: 'a.ts', size_bytes: 188, created: 0 };
  const row = { ...file, ...none, end_time: null, uploaded_by: null, ...fields };
  return (await db.insertInto('files').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** An account without password, for parts that are handed an actor. */
export async function addUser(db: Kysely<Database>, name: string, role = 'admin', clearance = 5): Promise<string> {
  const row = { username: name, username_key: name.toLowerCase(), role, clearance, registered: 0 };
  const full = { ...row, password_hash: null, last_access: null, deleted_time: null };
  return (await db.insertInto('users').values(full).returning('id').executeTakeFirstOrThrow()).id;
}
