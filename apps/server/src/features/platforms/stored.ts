import { type AccessFacts, classificationOf, type PlatformRecord, platformRecord, sensorTypes } from '@osprey/contract';
import { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { visiblePlatforms } from '../../base/items/visibility.ts';

/**
 * A platform as stored in its rows, with usergroups as ids and secrets sealed. Versions contain it, and plans compare
 * it.
 */
export const storedPlatform = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  color: z.string(),
  classification: z.int(),
  marked: z.boolean(),
  audience: z.enum(['everyone', 'groups']),
  usergroups: z.array(z.string()),
  priority: z.int(),
  autostart: z.boolean(),
  record: platformRecord,
  sensors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      type: z.enum(sensorTypes),
      url: z.string(),
      secret: z.string().nullable(),
      senders: z.array(z.string()),
    }),
  ),
});
export type StoredPlatform = z.output<typeof storedPlatform>;
export type StoredSensor = StoredPlatform['sensors'][number];

export const factsOf = (platform: StoredPlatform): AccessFacts & { id: string } => ({
  id: platform.id,
  securityClassification: classificationOf(platform.classification),
  audience: platform.audience,
  usergroups: platform.usergroups,
  draft: false,
});

type Selected = Pick<ReturnType<typeof visiblePlatforms>, 'selectAll'>;

/** Reads the platforms selected by a query, sorted by name, with their groups and sensors. */
export async function readPlatforms(db: Db, query: Selected): Promise<StoredPlatform[]> {
  const rows = await query.selectAll('platforms').orderBy('platforms.name').orderBy('platforms.id').execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const links = await db.selectFrom('platform_usergroups').selectAll().where('platform_id', 'in', ids).execute();
  const sensors = await sensorsOf(db, ids);
  const groups = Map.groupBy(links, ({ platform_id }) => platform_id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    color: row.color,
    classification: row.classification,
    marked: row.marked,
    audience: row.audience,
    usergroups: (groups.get(row.id) ?? []).map(({ usergroup_id }) => usergroup_id).sort(),
    priority: row.priority,
    autostart: row.autostart,
    record: row.record as PlatformRecord,
    sensors: sensors.get(row.id) ?? [],
  }));
}

async function sensorsOf(db: Db, platformIds: string[]): Promise<Map<string, StoredSensor[]>> {
  const rows = await asSystem(db, 'platform')
    .selectFrom('platform_sensors')
    .selectAll()
    .where('platform_id', 'in', platformIds)
    .orderBy('position')
    .execute();
  const all = rows.map(({ platform_id, position, switched, klv_pid, type, ...sensor }) => ({
    platform_id,
    sensor: { ...sensor, type: sensorTypes.find((one) => one === type) ?? 'video' },
  }));
  const byPlatform = Map.groupBy(all, ({ platform_id }) => platform_id);
  return new Map([...byPlatform].map(([id, entries]) => [id, entries.map(({ sensor }) => sensor)]));
}
