import { type Classification, classificationRank } from '@osprey/contract';
import type { AuditEntry } from '../db/audit-rows.ts';

/** Subject of a row: an item with its label, or something without one: an account, a usergroup, a credential. */
export type AuditAbout =
  | { itemId: string; itemLabel: Classification; subject?: undefined }
  | { itemId?: null | undefined; itemLabel?: Classification | null; subject?: string | null };

/** Subject of a row: an item with its label, or an id alone for what has no label. */
export function about(id: string | null | undefined, label: Classification | null | undefined): AuditAbout {
  if (id && label) return { itemId: id, itemLabel: label };
  return { subject: id ?? null, itemLabel: label ?? null };
}

/** Label of a row that names what has none. Rows of earlier versions have null there, whatever they name. */
const UNLABELLED = 0;

/** Columns of a row that say what it is about. */
export function aboutColumns(
  note: AuditAbout & { usergroups?: readonly string[] },
): Pick<AuditEntry, 'item_id' | 'item_label' | 'groups'> {
  const unlabelled = note.subject ? UNLABELLED : null;
  return {
    item_id: note.itemId ?? note.subject ?? null,
    item_label: note.itemLabel ? classificationRank(note.itemLabel) : unlabelled,
    groups: note.usergroups ? [...note.usergroups] : null,
  };
}
