import type { AccessFacts } from '@osprey/contract';
import { factsOf } from '../items/facts.ts';
import { items } from '../items/product.ts';
import { asSystem, type Db } from './as-system.ts';

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

/** The platform of a sensor; null where there is none. */
export async function platformOfSensor(db: Db, sensorId: string): Promise<string | null> {
  const row = await asSystem(db, 'media')
    .selectFrom('platform_sensors')
    .select('platform_id')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  return row?.platform_id ?? null;
}
