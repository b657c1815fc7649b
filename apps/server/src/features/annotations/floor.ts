import {
  type AccessFacts,
  type Actor,
  AppError,
  type Classification,
  classificationOf,
  classificationRank,
} from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { groupsOfMission, keepMission } from '../../base/items/missions.ts';
import { visible } from '../../base/items/visibility.ts';

/** Limits that a mission sets for its annotations: the lowest label, and the widest audience. */
export type Floor = {
  name: string;
  label: Classification;
  audience: 'everyone' | 'groups';
  usergroups: string[];
  draft: boolean;
};

/**
 * Reads the limits set by a mission, and locks the mission against changes until the end of the transaction. If the
 * mission's label is raised, that happens either before this transaction or after it; in the latter case the
 * annotation's label is raised too.
 *
 * @throws AppError notFound if the actor may not read the mission
 */
export async function floorOf(tx: Db, actor: Actor, missionId: string): Promise<Floor> {
  await keepMission(tx, 'annotation', missionId);
  const row = await visible(tx, actor)
    .select(['missions.name', 'missions.classification', 'missions.audience', 'missions.state'])
    .select(groupsOfMission.as('groups'))
    .where('missions.id', '=', missionId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return {
    name: row.name,
    label: classificationOf(row.classification),
    audience: row.audience,
    usergroups: row.groups,
    draft: row.state === 'Created',
  };
}

/**
 * Refuses a label lower, or an audience wider, than the mission allows. @throws AppError labelBelowMission,
 * widerThanMission
 */
export function refuseBelowFloor(requested: AccessFacts, floor: Floor): void {
  const { name: mission, label } = floor;
  if (classificationRank(requested.securityClassification) < classificationRank(label)) {
    throw new AppError('labelBelowMission', { mission, label });
  }
  if (floor.audience === 'everyone') return;
  const isWider =
    requested.audience === 'everyone' || requested.usergroups.some((id) => !floor.usergroups.includes(id));
  if (isWider) throw new AppError('widerThanMission', { mission });
}
