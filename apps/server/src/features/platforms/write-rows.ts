import { type Expression, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { StoredPlatform } from './stored.ts';

/** Writes the rows of one platform, and restores it if it was removed. */
export async function writePlatform(tx: Db, platform: StoredPlatform, nowUs: number): Promise<void> {
  const { id, usergroups, sensors, record, ...plain } = platform;
  const columns = { ...plain, record: JSON.stringify(record), updated: nowUs, deleted_time: null };
  const before = await asSystem(tx, 'authorized change')
    .selectFrom('platforms')
    .select('autostart')
    .where('id', '=', id)
    .executeTakeFirst();
  await tx
    .insertInto('platforms')
    .values({ id, ...columns, created: nowUs })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  await tx.deleteFrom('platform_usergroups').where('platform_id', '=', id).execute();
  const links = usergroups.map((usergroup_id) => ({ platform_id: id, usergroup_id }));
  if (links.length > 0) await tx.insertInto('platform_usergroups').values(links).execute();
  // If `autostart` changes, its new value replaces earlier switches of users.
  await writeSensors(tx, platform, { keepsSwitches: before?.autostart === platform.autostart });
}

/** Writes the sensors of a platform. With `keepsSwitches`, users' switches of existing sensors are kept. */
async function writeSensors(tx: Db, { id, sensors }: StoredPlatform, options: { keepsSwitches: boolean }) {
  const retained = sensors.map((sensor) => sensor.id);
  await asSystem(tx, 'authorized change')
    .deleteFrom('platform_sensors')
    .where('platform_id', '=', id)
    .where(sql<boolean>`id <> all (${retained}::uuid[])`)
    .execute();
  if (sensors.length === 0) return;
  const excluded = <T>(column: string) => sql<T>`${sql.ref(`excluded.${column}`)}` as Expression<T>;
  const rows = sensors.map((sensor, position) => ({ ...sensor, platform_id: id, position }));
  await tx
    .insertInto('platform_sensors')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...{ platform_id: id, name: excluded<string>('name'), description: excluded<string>('description') },
        ...{ type: excluded<string>('type'), url: excluded<string>('url'), secret: excluded<string | null>('secret') },
        ...{ senders: excluded<string[]>('senders'), position: excluded<number>('position') },
        ...(options.keepsSwitches ? {} : { switched: null }),
      }),
    )
    .execute();
}

/**
 * Marks a platform as removed. The row is kept, since recordings refer to it and an earlier configuration may restore
 * it.
 */
export async function writeRemoval(tx: Db, id: string, nowUs: number): Promise<void> {
  await asSystem(tx, 'authorized change')
    .updateTable('platforms')
    .set({ deleted_time: nowUs })
    .where('id', '=', id)
    .execute();
}
