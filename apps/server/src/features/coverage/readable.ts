import type { Actor } from '@osprey/contract';
import type { Kysely, SelectQueryBuilder } from 'kysely';
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

/** Up to so many sensors are looked at one by one. */
const FEW = 300;

/**
 * The sensors with seen ground that the actor may read, where they are few: their rows are then read by their ids, and what
 * hidden missions saw of a place costs no time. Null for more.
 */
export async function fewReadable(db: Kysely<Database>, actor: Actor): Promise<string[] | null> {
  const rows = await readable(db, actor)
    .innerJoin('coverage_sensors', 'coverage_sensors.sensor_id', 'sensors.id')
    .select('sensors.id')
    .limit(FEW + 1)
    .execute();
  return rows.length > FEW ? null : rows.map(({ id }) => id);
}
