import type { Actor } from '@osprey/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { visible } from '../../base/items/visibility.ts';

/** Selects the sensors of recordings that the actor may read. */
export const readableSensors = (db: Db, actor: Actor) =>
  visible(db, actor).innerJoin('sensors', 'sensors.mission_id', 'missions.id') as unknown as SelectQueryBuilder<
    Database,
    'missions' | 'sensors',
    object
  >;

/** Selects the minutes of the coverage index that belong to sensors that the actor may read. */
export const visibleMinutes = (db: Db, actor: Actor) =>
  readableSensors(db, actor).innerJoin('coverage_minutes', 'coverage_minutes.sensor_id', 'sensors.id');

/**
 * Returns whether the index of seen ground was made, without an error, from this index of a sensor that the actor may
 * read.
 */
export async function isGroundKnown(
  db: Db,
  actor: Actor,
  { sensorId, indexKey }: { sensorId: string; indexKey: string },
): Promise<boolean> {
  const made = await readableSensors(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select('coverage_sensors.sensor_id')
    .where('sensors.id', '=', sensorId)
    .where('coverage_sensors.index_key', '=', indexKey)
    .where('coverage_sensors.failed', '=', false)
    .executeTakeFirst();
  return made !== undefined;
}

/**
 * Reads the packed footprints of minutes of the coverage index, in the order of the minutes. Minutes that were removed
 * or hidden after they had been selected are left out.
 */
export async function packedFootprints<Minute extends { sensorId: string; minute: number }>(
  db: Db,
  actor: Actor,
  minutes: readonly Minute[],
): Promise<{ minute: Minute; footprints: Uint8Array }[]> {
  if (minutes.length === 0) return [];
  const [ids, numbers] = [minutes.map(({ sensorId }) => sensorId), minutes.map(({ minute }) => minute)];
  const rows = await visibleMinutes(db, actor)
    .select(['coverage_minutes.sensor_id as sensorId', 'coverage_minutes.minute', 'coverage_minutes.footprints'])
    .where(
      sql<boolean>`(coverage_minutes.sensor_id, coverage_minutes.minute) in (
        select * from unnest(${ids}::uuid[], ${numbers}::int[]))`,
    )
    .execute();
  const keyOf = ({ sensorId, minute }: { sensorId: string; minute: number }) => `${sensorId} ${minute}`;
  const packed = new Map(rows.map((row) => [keyOf(row), row.footprints]));
  return minutes.flatMap((minute) => {
    const footprints = packed.get(keyOf(minute));
    return footprints ? [{ minute, footprints }] : [];
  });
}
