import { type AccessFacts, AppError, classificationRank } from '@osprey/contract';

/** A mission with its name, as texts give it. */
export type SourceMission = AccessFacts & { name: string };

/**
 * An item that was made of a mission has at least the label of the mission, and at most its audience (trust.md 2.4).
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

/** Whether `one` reaches an account that `other` does not reach. */
export const isWider = (source: AccessFacts, requested: AccessFacts): boolean =>
  source.audience === 'groups' &&
  (requested.audience === 'everyone' || requested.usergroups.some((id) => !source.usergroups.includes(id)));
