import { type Classification, classificationRank } from '@osprey/contract';
import type { AuditEntry } from '../db/audit-rows.ts';

/** Subject of a row: an item with its label, or something without one: an account, a usergroup, a credential. */
export type AuditAbout =
  | { itemId: string; itemLabel: Classification; subject?: undefined }
  | { itemId?: null | undefined; itemLabel?: Classification | null; subject?: string | null };

/** Returns the subject of an audit row: an item with its label, or just an id for things that have no label. */
export function about(id: string | null | undefined, label: Classification | null | undefined): AuditAbout {
  if (id && label) return { itemId: id, itemLabel: label };
  return { subject: id ?? null, itemLabel: label ?? null };
}

/**
 * Stored as the label of a row whose subject has none. Rows of earlier versions have null instead, whatever their
 * subject.
 */
const UNLABELLED = 0;

/** Returns the columns of a row that identify its subject. */
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
