import {
  type AccessFacts,
  type Actor,
  type Classification,
  classificationOf,
  classificationRank,
  classifications,
  DEMO_GROUP,
  isAdmin,
  shareProblem,
  type Usergroup,
} from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { texts } from './sharing-texts.ts';

/** Label and audience of an item, as form values. */
export type ShareFields = { label: Classification; everyone: boolean; usergroups: string[] };

const words = texts.sharing;

/** Returns the groups to send. Above UNCLASSIFIED, a selected Demo is omitted, since it could not see the item. */
export function sentGroups(
  { label, usergroups }: Pick<ShareFields, 'label' | 'usergroups'>,
  groups: readonly Usergroup[],
): string[] {
  const demo = groups.find(({ name }) => name === DEMO_GROUP)?._id;
  return classificationRank(label) > 1 ? usergroups.filter((id) => id !== demo) : usergroups;
}

/** Returns the first usergroups of any new item: Demo if it can show the label, else the only group that can. */
export function firstGroups(label: Classification, groups: readonly Usergroup[]): string[] {
  const able = groups.filter(
    ({ securityClassification }) => classificationRank(securityClassification) >= classificationRank(label),
  );
  const demo = able.filter(({ name }) => name === DEMO_GROUP);
  return (demo.length > 0 ? demo : able.length === 1 ? able : []).map(({ _id }) => _id);
}

/** Returns the audience to send. */
export const audienceOf = (form: ShareFields, groups: readonly Usergroup[]) => ({
  audience: form.everyone ? ('everyone' as const) : ('groups' as const),
  usergroups: form.everyone ? [] : sentGroups(form, groups),
});

/** Returns the reason why an item cannot be shared like this; null if it can. */
export function shareText(actor: Actor, form: ShareFields, groups: readonly Usergroup[]): string | null {
  const requested = { securityClassification: form.label, ...audienceOf(form, groups) };
  if (!form.everyone && requested.usergroups.length === 0)
    return form.usergroups.length > 0 ? words.demoOnly : words.none;
  const problem = shareProblem(actor, requested, groups);
  if (problem === null) return null;
  return problem.code === 'labelAboveGroup'
    ? fill(words.labelAboveGroup, { label: form.label, groups: problem.groups.join(', ') })
    : words[problem.code];
}

/** Like `shareText`, for items whose groups must all be administered by the user: missions and platforms. */
export function managedShareText(actor: Actor, form: ShareFields, groups: readonly Usergroup[]): string | null {
  const isOutside = (id: string) => !actor.administered.includes(id);
  const { usergroups } = audienceOf(form, groups);
  return actor.role === 'groupAdmin' && usergroups.some(isOutside) ? words.notYours : shareText(actor, form, groups);
}

type Before = Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;

/** Returns whether the label was lowered or the audience extended, which requires a reason. */
export function isWidened(before: Before, form: ShareFields, groups: readonly Usergroup[]): boolean {
  const { audience, usergroups } = audienceOf(form, groups);
  const lowered = classificationRank(form.label) < classificationRank(before.securityClassification);
  const opened = before.audience === 'groups' && audience === 'everyone';
  const added = before.audience === 'groups' && usergroups.some((id) => !before.usergroups.includes(id));
  return lowered || opened || added;
}

/** Label that applies to items without one. */
export const HIGHEST_LABEL: Classification = classificationOf(classifications.length);

/** Returns the labels that a user may choose: up to their own clearance. */
export const labelsFor = (actor: Actor): Classification[] =>
  classifications.filter((label) => classificationRank(label) <= classificationRank(actor.clearance));

/** Returns the groups that a user may choose: a group admin shares only within the groups they administer. */
export const groupsFor = (actor: Actor, groups: readonly Usergroup[]): Usergroup[] =>
  groups.filter(({ _id }) => isAdmin(actor) || actor.administered.includes(_id));
