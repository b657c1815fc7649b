import type { Actor, Classification, ListedShip, NewShipList, ShipListRow, Usergroup } from '@osprey/contract';
import { audienceOf, type ShareFields, shareText } from '../../ui/fields/sharing.ts';

/** Fields of a ship list's dialog. `colour` is kept while it is off. */
export type ListForm = ShareFields & { name: string; isColoured: boolean; colour: string; reason: string };

/** The first of the colours that are easy to tell apart. */
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

/** Returns whether only its maker sees it. */
export const isOwnAlone = ({ everyone, usergroups }: ShareFields): boolean => !everyone && usergroups.length === 0;

/** Reason why it cannot be shared like this; null if it can. A list may stay private to its maker. */
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
