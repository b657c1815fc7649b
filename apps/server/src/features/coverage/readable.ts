import type { Actor } from '@osprey/contract';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { items } from '../../base/items/product.ts';

/** Sensors of recordings that the actor may read. */
export const readable = (db: Kysely<Database>, actor: Actor) =>
  items
    .visible('mission', db, actor)
    .innerJoin('sensors', 'sensors.mission_id', 'missions.id') as unknown as SelectQueryBuilder<
    Database,
    'missions' | 'sensors',
    object
  >;

/** Up to this number of sensors each is looked at alone. */
const FEW = 100;

/**
 * The sensors that may have seen a place, among those that the actor may read, if these are few: rows are then read by
 * their ids, so that hidden missions cost no time. Null if the actor may read more.
 *
 * @param probes entries of the place; a sensor that saw it has one of them
 */
export async function fewReadable(
  db: Kysely<Database>,
  actor: Actor,
  probes: readonly number[],
): Promise<string[] | null> {
  const rows = await readable(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select(['sensors.id', sql<boolean>`coalesce(coverage_sensors.cells && ${probes}::bigint[], true)`.as('isMet')])
    .limit(FEW + 1)
    .execute();
  return rows.length > FEW ? null : rows.filter(({ isMet }) => isMet).map(({ id }) => id);
}
