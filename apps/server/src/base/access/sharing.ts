import {
  type AccessFacts,
  type Actor,
  AppError,
  classificationOf,
  classificationRank,
  type FactsFor,
  type ItemAction,
  REASON_MIN,
  shareProblem,
} from '@osprey/contract';
import type { Db } from './as-system.ts';
import { authorize, type ItemFacts } from './authorize.ts';
import { knowsGroup } from './known-groups.ts';

type SharingChange = {
  [Field in 'securityClassification' | 'audience' | 'usergroups']?: AccessFacts[Field] | undefined;
};

/** Label and audience as they would be after a change; the other facts stay. */
export function requestedFacts<Facts extends AccessFacts>(before: Facts, change: SharingChange): Facts {
  return {
    ...before,
    securityClassification: change.securityClassification ?? before.securityClassification,
    audience: change.audience ?? before.audience,
    usergroups: change.usergroups ?? before.usergroups,
  };
}

/**
 * Compares an item's facts before and after a change: whether more accounts can read the item (`widened`), or some no
 * longer can (`narrowed`).
 */
export function compareSharing(before: AccessFacts, after: AccessFacts) {
  const [low, high] = [before, after].map((facts) => classificationRank(facts.securityClassification)) as [
    number,
    number,
  ];
  const opened = before.audience === 'groups' && after.audience === 'everyone';
  const closed = before.audience === 'everyone' && after.audience === 'groups';
  const added = after.audience === 'groups' && after.usergroups.some((id) => !before.usergroups.includes(id));
  const dropped = before.audience === 'groups' && before.usergroups.some((id) => !after.usergroups.includes(id));
  const widened = high < low || opened || (added && !closed);
  const narrowed = high > low || closed || dropped;
  return { widened, narrowed, changes: widened || narrowed || added };
}

/**
 * Refuses a label and audience that the actor may not set. Groups in `before`, which the item is already shared with,
 * may stay even if the actor does not know of them.
 *
 * @throws AppError
 */
export async function refuseSharing(
  tx: Db,
  actor: Actor,
  requested: AccessFacts,
  before: readonly string[] = [],
): Promise<void> {
  const rows = await tx.selectFrom('usergroups').select(['id', 'name', 'classification']).execute();
  const existing = rows
    .filter(({ id }) => before.includes(id) || knowsGroup(actor, id))
    .map(({ id, name, classification }) => ({
      _id: id,
      name,
      securityClassification: classificationOf(classification),
    }));
  const problem = shareProblem(actor, requested, existing);
  if (problem === null) return;
  if (problem.code !== 'labelAboveGroup') throw new AppError(problem.code);
  const seen = problem.groups.filter((name) =>
    existing.some((group) => group.name === name && knowsGroup(actor, group._id)),
  );
  throw new AppError('labelAboveGroup', { label: requested.securityClassification, groups: seen.join(', ') });
}

/** @throws AppError forbidden, reasonNeeded */
export function refuseWidening<Action extends Extract<ItemAction, `${string}.lower`>>(
  actor: Actor,
  action: Action,
  before: FactsFor<Action> & Pick<ItemFacts, 'id'>,
  reason: string | undefined,
): void {
  authorize(actor, action, before);
  needReason(reason);
}

/** @throws AppError reasonNeeded */
export function needReason(reason: string | undefined): void {
  if ((reason ?? '').trim().length < REASON_MIN) throw new AppError('reasonNeeded');
}
