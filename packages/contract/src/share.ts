import { type Classification, classificationRank } from './access/classifications.ts';
import { type AccessFacts, type Actor, isAdmin, isCleared } from './access/rules.ts';

type Group = { _id: string; name: string; securityClassification: Classification };

/**
 * Reason why an item may not be shared as requested; null if it may. Client and server both check this before saving.
 */
export type ShareProblem =
  | { code: 'forbidden' }
  | { code: 'unknownUsergroup' }
  | { code: 'labelAboveGroup'; groups: string[] }
  | { code: 'hidesFromMaker' };

/**
 * Checks the chosen label and audience of an item.
 *
 * @param known groups that the actor may name: all groups for admins, only their own groups for other accounts
 */
export function shareProblem(
  actor: Actor,
  requested: Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>,
  known: readonly Group[],
): ShareProblem | null {
  if (!isCleared(actor, requested)) return { code: 'forbidden' };
  const chosen = requested.usergroups.map((id) => known.find((group) => group._id === id));
  if (chosen.some((group) => group === undefined)) return { code: 'unknownUsergroup' };
  const rank = classificationRank(requested.securityClassification);
  const tooLow = chosen.filter((group) => group && classificationRank(group.securityClassification) < rank);
  if (tooLow.length > 0) return { code: 'labelAboveGroup', groups: tooLow.map((group) => group?.name ?? '') };
  if (!isAdmin(actor) && requested.audience === 'everyone') return { code: 'forbidden' };
  const seesIt =
    actor.role === 'superAdmin' ||
    requested.audience === 'everyone' ||
    actor.groups.some((group) => requested.usergroups.includes(group._id) && classificationRank(group.ceiling) >= rank);
  return seesIt ? null : { code: 'hidesFromMaker' };
}
