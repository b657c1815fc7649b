import type { AccessFacts, Actor } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { factsOf } from './facts.ts';
import { items } from './product.ts';
import { visiblePlatforms } from './visibility.ts';

/** Facts of a platform that rights depend on. */
export type PlatformFacts = AccessFacts & { id: string; name: string };

/** The facts of platforms by id, for decisions about many actors at once; removed ones are absent. */
export async function platformFacts(db: Db, ids: readonly string[]): Promise<Map<string, PlatformFacts>> {
  const facts = await factsOf(items.kindOf('platform'), asSystem(db, 'events'), ids);
  return new Map([...facts].filter(([, { deleted }]) => !deleted));
}

/** Ids of platforms that any of these usergroups may see. */
export async function platformsSharedWith(db: Db, groupIds: readonly string[]): Promise<string[]> {
  const rows = await asSystem(db, 'events')
    .selectFrom('platform_usergroups')
    .select('platform_id')
    .distinct()
    .where('usergroup_id', 'in', [...groupIds])
    .execute();
  return rows.map(({ platform_id }) => platform_id);
}

/** Returns the id of the platform that a sensor belongs to; null if there is none. */
export async function platformOfSensor(db: Db, sensorId: string): Promise<string | null> {
  const row = await asSystem(db, 'media')
    .selectFrom('platform_sensors')
    .select('platform_id')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  return row?.platform_id ?? null;
}

/** Sensors of the platforms that the actor may see. */
export const visiblePlatformSensors = (db: Db, actor: Actor) =>
  visiblePlatforms(db, actor).innerJoin('platform_sensors', 'platform_sensors.platform_id', 'platforms.id');

/** Number of sensors of a platform of the query. */
export const sensorsOfPlatform = sql<number>`(
  select count(*) from platform_sensors where platform_sensors.platform_id = platforms.id)`;

/** Returns the name of a platform's sensor; null if it does not exist. */
export async function platformSensorName(db: Db, sensorId: string): Promise<string | null> {
  const row = await asSystem(db, 'recorder')
    .selectFrom('platform_sensors')
    .where('id', '=', sensorId)
    .select('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Whether the platform exists. */
export async function platformIsThere(db: Db, id: string): Promise<boolean> {
  const row = await asSystem(db, 'recorder')
    .selectFrom('platforms')
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the addresses of all sensors that are switched on, except those of removed platforms. */
export async function addressesInUse(db: Db): Promise<string[]> {
  const rows = await asSystem(db, 'health')
    .selectFrom('platform_sensors')
    .innerJoin('platforms', 'platforms.id', 'platform_sensors.platform_id')
    .where('platforms.deleted_time', 'is', null)
    .where(sql<boolean>`coalesce(platform_sensors.switched, platforms.autostart)`)
    .select('platform_sensors.url')
    .execute();
  return rows.map(({ url }) => url);
}
