import { type AccessFacts, type Actor, classificationRank, liveModes } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';

export type LiveMode = (typeof liveModes)[number];

/** Forms of live video other than HLS that each usergroup allows its members, by usergroup id. */
export type GroupModes = ReadonlyMap<string, readonly LiveMode[]>;

export async function groupModes(db: Db, actor: Pick<Actor, 'groups'>): Promise<GroupModes> {
  const ids = actor.groups.map(({ _id }) => _id);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('usergroups').select(['id', 'live_modes']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, live_modes }) => [id, liveModes.filter((mode) => live_modes.includes(mode))]));
}

/**
 * Returns the forms of live video allowed by the groups through which the actor sees a platform. For a platform with
 * the audience `everyone`, all of the actor's groups count.
 */
export function liveModesFor(
  actor: Pick<Actor, 'role' | 'groups'>,
  { audience, usergroups, securityClassification }: Omit<AccessFacts, 'draft'>,
  modes: GroupModes,
): LiveMode[] {
  if (actor.role === 'superAdmin') return [...liveModes];
  const needed = classificationRank(securityClassification);
  const shared = actor.groups.filter(
    ({ _id, ceiling }) =>
      audience === 'everyone' || (usergroups.includes(_id) && classificationRank(ceiling) >= needed),
  );
  return liveModes.filter((mode) => shared.some(({ _id }) => modes.get(_id)?.includes(mode)));
}
