import { type AccessFacts, AppError, classificationRank } from '@osprey/contract';

/** A mission with its name, as error messages show it. */
export type SourceMission = AccessFacts & { name: string };

/**
 * Refuses facts that exceed those of the source mission: an item made from a mission has at least the mission's label
 * and at most its audience (trust.md 2.4).
 *
 * @throws AppError labelBelowMission, widerThanMission
 */
export function refuseBeyondMission(mission: SourceMission, requested: AccessFacts): void {
  if (isLabelBelow(mission, requested)) {
    throw new AppError('labelBelowMission', { mission: mission.name, label: mission.securityClassification });
  }
  if (isWider(mission, requested)) throw new AppError('widerThanMission', { mission: mission.name });
}

export const isLabelBelow = (source: AccessFacts, requested: AccessFacts): boolean =>
  classificationRank(requested.securityClassification) < classificationRank(source.securityClassification);

/** Whether the audience of `requested` includes accounts that the audience of `source` does not. */
export const isWider = (source: AccessFacts, requested: AccessFacts): boolean =>
  source.audience === 'groups' &&
  (requested.audience === 'everyone' || requested.usergroups.some((id) => !source.usergroups.includes(id)));
