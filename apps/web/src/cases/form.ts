import type { CaseRow, ChangedCase, Classification, Usergroup } from '@osprey/contract';
import { audienceOf, firstGroups } from '../ui/fields/sharing.ts';

/** Values of the dialog of a case. */
export type CaseForm = {
  name: string;
  description: string;
  label: Classification;
  everyone: boolean;
  usergroups: string[];
  /** Usernames of the users who may edit the case. */
  editors: string[];
  reason: string;
};

/** Returns the initial values of a new case: the label of the items it is made for, and the first usergroups. */
export const newForm = (label: Classification, groups: readonly Usergroup[]): CaseForm => ({
  ...{ name: '', description: '', label, everyone: false, usergroups: firstGroups(label, groups) },
  ...{ editors: [], reason: '' },
});

export const formOf = (row: CaseRow): CaseForm => ({
  name: row.name,
  description: row.description,
  label: row.ownClassification,
  everyone: row.audience === 'everyone',
  usergroups: row.usergroups,
  editors: row.editors.map(({ username }) => username),
  reason: '',
});

const described = (form: CaseForm, groups: readonly Usergroup[]) => ({
  name: form.name.trim(),
  description: form.description.trim(),
  securityClassification: form.label,
  ...audienceOf(form, groups),
  editors: form.editors,
});

type People = ReadonlyMap<string, string>;

/**
 * Returns only the fields that differ from the row that was opened, so that changes made by others in the meantime are
 * kept.
 *
 * @param people ids of users, by username
 * @param revision the newest revision that is known
 */
export function changeBody(
  row: CaseRow,
  form: CaseForm,
  { groups, people, revision }: { groups: readonly Usergroup[]; people: People; revision: number },
): ChangedCase {
  const before = described(formOf(row), groups);
  const { editors, ...after } = described(form, groups);
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof typeof before]),
  );
  const idOf = (name: string) => people.get(name) ?? row.editors.find(({ username }) => username === name)?._id;
  const isNamedAnew = JSON.stringify(editors) !== JSON.stringify(before.editors);
  return {
    ...(Object.fromEntries(changed) as Partial<ChangedCase>),
    ...(isNamedAnew && { editors: editors.flatMap((name) => idOf(name) ?? []) }),
    revision,
    ...(form.reason.trim() !== '' && { reason: form.reason.trim() }),
  };
}
