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

/** Label and audience of an item as a form holds them. */
export type ShareFields = { label: Classification; everyone: boolean; usergroups: string[] };

const words = texts.sharing;

/** The groups as they are sent: above UNCLASSIFIED the ticked Demo is left out, for it would show nothing. */
export function sentGroups(
  { label, usergroups }: Pick<ShareFields, 'label' | 'usergroups'>,
  groups: readonly Usergroup[],
): string[] {
  const demo = groups.find(({ name }) => name === DEMO_GROUP)?._id;
  return classificationRank(label) > 1 ? usergroups.filter((id) => id !== demo) : usergroups;
}

/** The audience as it is sent. */
export const audienceOf = (form: ShareFields, groups: readonly Usergroup[]) => ({
  audience: form.everyone ? ('everyone' as const) : ('groups' as const),
  usergroups: form.everyone ? [] : sentGroups(form, groups),
});

/** Why it cannot be shared like this; null when it can. */
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

/** The same for what only those who administer its groups may have: missions and platforms. */
export function managedShareText(actor: Actor, form: ShareFields, groups: readonly Usergroup[]): string | null {
  const isOutside = (id: string) => !actor.administered.includes(id);
  const { usergroups } = audienceOf(form, groups);
  return actor.role === 'groupAdmin' && usergroups.some(isOutside) ? words.notYours : shareText(actor, form, groups);
}

type Before = Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;

/** Lower than it was, or open to people who could not see it: that needs a reason. */
export function isWidened(before: Before, form: ShareFields, groups: readonly Usergroup[]): boolean {
  const { audience, usergroups } = audienceOf(form, groups);
  const lowered = classificationRank(form.label) < classificationRank(before.securityClassification);
  const opened = before.audience === 'groups' && audience === 'everyone';
  const added = before.audience === 'groups' && usergroups.some((id) => !before.usergroups.includes(id));
  return lowered || opened || added;
}

/** Unmarked items count as this. */
export const HIGHEST_LABEL: Classification = classificationOf(classifications.length);

/** The labels that an actor may choose: up to their own clearance. */
export const labelsFor = (actor: Actor): Classification[] =>
  classifications.filter((label) => classificationRank(label) <= classificationRank(actor.clearance));

/** Groups to choose from: a group admin shares only within the groups they administer. */
export const groupsFor = (actor: Actor, groups: readonly Usergroup[]): Usergroup[] =>
  groups.filter(({ _id }) => isAdmin(actor) || actor.administered.includes(_id));
