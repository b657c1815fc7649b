import type { Actor, Classification, ListedShip, NewShipList, ShipListRow, Usergroup } from '@osprey/contract';
import { audienceOf, type ShareFields, shareText } from '../../ui/fields/sharing.ts';

/** Form fields of the dialog of a ship list. `colour` keeps its value while `isColoured` is false. */
export type ListForm = ShareFields & { name: string; isColoured: boolean; colour: string; reason: string };

/** Default colour of a list: the first of the colours that are easy to distinguish. */
const FIRST_COLOUR = '#f59e6b';

export const newListForm = (name: string, label: Classification): ListForm => ({
  ...{ name, isColoured: true, colour: FIRST_COLOUR, label, everyone: false, usergroups: [], reason: '' },
});

export const listFormOf = (row: ShipListRow): ListForm => ({
  name: row.name,
  isColoured: row.colour !== null,
  colour: row.colour ?? FIRST_COLOUR,
  label: row.securityClassification,
  everyone: row.audience === 'everyone',
  usergroups: row.usergroups,
  reason: '',
});

/** Whether only the author of the list can see it. */
export const isOwnAlone = ({ everyone, usergroups }: ShareFields): boolean => !everyone && usergroups.length === 0;

/**
 * Returns the reason why the list cannot be shared in this way; null if it can. A list may remain private to its
 * author.
 */
export const listShareText = (
  actor: Actor,
  form: ListForm,
  { groups, isOwn }: { groups: readonly Usergroup[]; isOwn: boolean },
): string | null => (isOwn && isOwnAlone(form) ? null : shareText(actor, form, groups));

export const listBody = (form: ListForm, groups: readonly Usergroup[]) => ({
  name: form.name.trim(),
  colour: form.isColoured ? form.colour.toLowerCase() : null,
  securityClassification: form.label,
  ...audienceOf(form, groups),
});

export const newListBody = (
  form: ListForm,
  groups: readonly Usergroup[],
  ships: readonly ListedShip[],
): NewShipList => ({
  ...listBody(form, groups),
  ships: [...ships],
});
