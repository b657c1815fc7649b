import { type AccessFacts, classificationOf } from '@osprey/contract';
import { asSystem, type Db } from './visibility.ts';

/** What rights over a platform depend on. */
export type PlatformFacts = AccessFacts & { id: string; name: string };

/** The facts of platforms by id, for decisions about many actors at once; removed ones are absent. */
export async function platformFacts(db: Db, ids: readonly string[]): Promise<Map<string, PlatformFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await asSystem(db, 'events')
    .selectFrom('platforms')
    .leftJoin('platform_usergroups as link', 'link.platform_id', 'platforms.id')
    .where('platforms.id', 'in', [...ids])
    .where('platforms.deleted_time', 'is', null)
    .select(['platforms.id', 'platforms.name', 'classification', 'audience', 'link.usergroup_id'])
    .execute();
  const byId = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...byId].map(([id, [first, ...more]]) => [
      id,
      {
        id,
        name: first!.name,
        securityClassification: classificationOf(first!.classification),
        audience: first!.audience,
        usergroups: [first!, ...more].flatMap(({ usergroup_id }) => usergroup_id ?? []),
        draft: false,
      },
    ]),
  );
}

/** Platforms that any of these usergroups may see, as they are now. */
export async function platformsSharedWith(db: Db, groupIds: readonly string[]): Promise<PlatformFacts[]> {
  const rows = await asSystem(db, 'events')
    .selectFrom('platform_usergroups')
    .select('platform_id')
    .distinct()
    .where('usergroup_id', 'in', [...groupIds])
    .execute();
  const facts = await platformFacts(
    db,
    rows.map(({ platform_id }) => platform_id),
  );
  return [...facts.values()];
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
