import { type Actor, AppError } from '@osprey/contract';
import type { Db } from '../access/as-system.ts';
import { visible } from './visibility.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the id of the visible mission that had this name before it was renamed; if there are several, the one renamed
 * last. Null if a visible mission currently has it as name or id: an old name never hides a current one.
 */
export async function formerlyNamed(db: Db, actor: Actor, name: string): Promise<string | null> {
  const former = await visible(db, actor)
    .innerJoin('mission_old_names', 'mission_old_names.mission_id', 'missions.id')
    .where('mission_old_names.name', '=', name)
    .select('missions.id')
    .orderBy('mission_old_names.until', 'desc')
    .orderBy('missions.id')
    .limit(1)
    .executeTakeFirst();
  if (former === undefined) return null;
  const holder = await visible(db, actor)
    .where((eb) =>
      UUID.test(name)
        ? eb.or([eb('missions.name', '=', name), eb('missions.id', '=', name)])
        : eb('missions.name', '=', name),
    )
    .select('missions.id')
    .limit(1)
    .executeTakeFirst();
  return holder === undefined ? former.id : null;
}

/**
 * Refuses an old name in calls that change something, since it could refer to another mission by now. @throws AppError
 * missionRenamed
 */
export async function refuseOldName(db: Db, actor: Actor, name: string): Promise<void> {
  if ((await formerlyNamed(db, actor, name)) !== null) throw new AppError('missionRenamed', { name });
}
