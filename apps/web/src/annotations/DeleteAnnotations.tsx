import { type AnnotationRow, deleteAnnotation, deleteAnnotations, restoreAnnotations } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatNumber, namesText, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { rows: readonly AnnotationRow[]; onClose: () => void };

const words = texts.remove;

/** Asks, deletes, and offers to take it back. */
export function DeleteAnnotations({ rows, onClose }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const ids = rows.map(({ _id }) => _id);
  const names = namesText(rows.map(({ title }) => ({ name: plainText(title) })));
  const [single] = rows.length === 1 ? rows : [];
  const count = formatNumber(rows.length);
  const readAgain = () => queries.invalidateQueries({ queryKey: ['annotations'] });

  async function restore() {
    try {
      await inParts(ids, (part) => api.call(restoreAnnotations, { body: { annotations: part } }));
      show(fill(texts.restored, { title: names }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function remove() {
    setBusy(true);
    try {
      if (single) await api.call(deleteAnnotation, { params: { id: single._id } });
      else await inParts(ids, (part) => api.call(deleteAnnotations, { body: { annotations: part } }));
      const done = single ? texts.deleted : fill(texts.deletedMany, { count });
      show(done, 'success', { label: texts.undo, onClick: () => void restore() });
    } catch (error) {
      show(fill(texts.deleteFailed, { message: errorText(error) }), 'error');
    }
    onClose();
    await readAgain();
  }

  return (
    <ConfirmDialog
      title={fill(single ? words.title : words.titleMany, { title: plainText(single?.title ?? ''), count })}
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
