import { type CaseRow, deleteCases, restoreCases } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatNumber, namesText, plainText, unitOf } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = {
  rows: readonly CaseRow[];
  onClose: () => void;
  /** Called after they are deleted: the page of a deleted case goes to the list. */
  onDeleted?: () => void;
};

const words = texts.remove;

/** Asks, deletes, and offers to take it back. */
export function DeleteCases({ rows, onClose, onDeleted }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const ids = rows.map(({ _id }) => _id);
  const names = namesText(rows.map(({ name }) => ({ name: plainText(name) })));
  const count = formatNumber(rows.length);
  const readAgain = () => queries.invalidateQueries({ queryKey: ['cases'] });

  async function restore() {
    try {
      await inParts(ids, (part) => api.call(restoreCases, { body: { cases: part } }));
      show(fill(unitOf(rows.length, texts.restored), { names }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function remove() {
    setBusy(true);
    try {
      await inParts(ids, (part) => api.call(deleteCases, { body: { cases: part } }));
      onDeleted?.();
      show(fill(unitOf(rows.length, texts.deleted), { names }), 'success', {
        label: texts.undo,
        onClick: () => void restore(),
      });
    } catch (error) {
      show(fill(texts.deleteFailed, { text: errorText(error) }), 'error');
    }
    onClose();
    await readAgain();
  }

  return (
    <ConfirmDialog
      title={fill(rows.length === 1 ? words.title : words.titleMany, { name: names, count })}
      mark={<HighestMark items={rows} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {fill(words.text, { names })}
    </ConfirmDialog>
  );
}
