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
