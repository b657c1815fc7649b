import { type ItemNoun, revokedEvent } from '@osprey/contract';
import { useState } from 'react';
import { useServerEvent } from './events.ts';

/** The dialog that is open over a list, and the rows that it is about. */
type Editing = { kind: string; rows?: readonly { _id: string }[] };

/**
 * Returns which dialog is open over a list. Rows that the user can no longer read are removed from it; if no row is
 * left, the dialog closes.
 *
 * @param onGone called when the dialog was closed for this reason; not called for the delete dialog, since the user may
 * have deleted the rows
 */
export function useEditing<E extends Editing>(noun: ItemNoun, onGone: () => void) {
  const [editing, setEditing] = useState<E | null>(null);
  useServerEvent(revokedEvent, ({ noun: of, ids, all }) => {
    if (of !== noun || !editing?.rows?.length) return;
    const rows = editing.rows.filter(({ _id }) => all !== true && !ids.includes(_id));
    if (rows.length === editing.rows.length) return;
    setEditing(rows.length === 0 ? null : { ...editing, rows });
    if (rows.length === 0 && editing.kind !== 'delete') onGone();
  });
  return [editing, setEditing] as const;
}
