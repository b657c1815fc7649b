import { type Actor, audiences, classificationRank, classifications } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';

/** Label and audience of what belongs to a mission and has rights of its own. */
export const archivedRights = {
  label: z.string().max(64),
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Names. */
  usergroups: z.array(z.string().max(256)).max(200),
};
type ArchivedRights = z.output<z.ZodObject<typeof archivedRights>>;

type Rights = {
  /** Left out: the highest of the installation, unmarked. */
  securityClassification?: (typeof classifications)[number];
  audience: ArchivedRights['audience'];
  usergroups: string[];
};

/**
 * Rights of an imported part of a mission: its label is at least the mission's, its audience at most the mission's. Groups
 * are found by name among those that the actor may name.
 */
export async function rightsWithin(
  db: Kysely<Database>,
  actor: Actor,
  { mission, archived }: { mission: MissionFacts; archived: ArchivedRights },
): Promise<Rights> {
  const own = archived.marked ? classifications.find((word) => word === archived.label) : undefined;
  const floor = mission.securityClassification;
  const label = own && (classificationRank(own) < classificationRank(floor) ? floor : own);
  const given = label === undefined ? {} : { securityClassification: label };
  if (archived.audience === 'everyone' && mission.audience === 'everyone') {
    return { ...given, audience: 'everyone', usergroups: [] };
  }
  const rank = classificationRank(label ?? 'TOP SECRET');
  const rows = await db.selectFrom('usergroups').select(['id', 'name', 'classification']).execute();
  const usergroups = rows
    .filter(({ id, classification }) => {
      const isWithin = mission.audience === 'everyone' || mission.usergroups.includes(id);
      return knowsGroup(actor, id) && isWithin && classification >= rank;
    })
    .filter(({ name }) => archived.audience === 'everyone' || archived.usergroups.includes(name))
    .map(({ id }) => id);
  return { ...given, audience: 'groups', usergroups };
}
