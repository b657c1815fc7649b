import { AppError } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { noticed } from '../../base/access/noticed.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import { mediaEnding, streamKeyOf } from '../../base/storage/originals.ts';
import type { SensorIndex } from '../index/sensor-index.ts';
import type { SensorIndexes } from './sensor-index-cache.ts';

/** Storage keys of a recording: its original, and the transport stream made from it, which is mostly the same file. */
export type Original = {
  id: string;
  name: string;
  kind: 'ts' | 'mp4' | 'mkv';
  key: string;
  streamKey: string;
  sizeBytes: number;
};

/** A sensor for media requests, by id, with the facts needed for access checks. */
export type MediaSensor = {
  mission: MissionFacts;
  shiftUs: number;
  /** Storage key of its index; null before there is one. */
  indexKey: string | null;
  index: SensorIndex | null;
  originals: readonly Original[];
};

type Cached = { missionId: string; indexKey: string | null; shiftUs: number; originals: Original[] };

export type MediaSensors = ReturnType<typeof mediaSensors>;

/** Caches sensors in memory for media requests, until a notice says that they have changed. */
export function mediaSensors({ db, live, indexes }: { db: Db; live: LiveRights; indexes: SensorIndexes }) {
  const sensors = noticed<Cached | null>((id) => readSensor(db, id));
  live.follow({
    notice: (notice) => void ('sensor' in notice && sensors.forget(notice.sensor)),
    forgetAll: sensors.forgetAll,
  });

  return {
    /** @throws AppError notFound */
    async read(sensorId: string): Promise<MediaSensor> {
      const sensor = await sensors.get(sensorId);
      const mission = sensor && (await live.mission(sensor.missionId));
      if (!sensor || !mission) throw new AppError('notFound');
      const { shiftUs, originals, indexKey } = sensor;
      return { mission, shiftUs, originals, indexKey, index: await indexes.read(indexKey) };
    },
  };
}

/** Returns the requested original. @throws AppError notFound */
export function originalOf(originals: readonly Original[], fileId: string): Original {
  const found = originals.find(({ id }) => id === fileId);
  if (found === undefined) throw new AppError('notFound');
  return found;
}

async function readSensor(db: Db, id: string): Promise<Cached | null> {
  const rows = await asSystem(db, 'media')
    .selectFrom('sensors')
    .leftJoin('files', (join) =>
      join.onRef('files.sensor_id', '=', 'sensors.id').on('files.kind', 'in', ['ts', 'mp4', 'mkv']),
    )
    .where('sensors.id', '=', id)
    .select([
      'mission_id',
      'index_key',
      'time_shift',
      'files.id',
      'files.name',
      'files.kind',
      'storage_key',
      'size_bytes',
    ])
    .execute();
  const [sensor] = rows;
  if (sensor === undefined) return null;
  return {
    missionId: sensor.mission_id,
    indexKey: sensor.index_key,
    shiftUs: sensor.time_shift,
    originals: rows.flatMap((row) =>
      row.id === null || row.name === null || row.kind === null || row.storage_key === null || row.size_bytes === null
        ? []
        : {
            ...{ id: row.id, name: row.name, kind: mediaEnding(row.kind), key: row.storage_key },
            streamKey: streamKeyOf({ ...row, id: row.id, kind: row.kind, storage_key: row.storage_key, sensor_id: id }),
            sizeBytes: row.size_bytes,
          },
    ),
  };
}
