import { type DocumentRow, deleteDocument, restoreDocuments } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatSize } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { document: DocumentRow; onClose: () => void; onDeleted: (id: string) => void };

/** Asks, deletes, and offers to take it back. */
export function DeleteDocument({ document, onClose, onDeleted }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const { _id, title, fileName, sizeBytes } = document;
  const readAgain = () => queries.invalidateQueries({ queryKey: ['documents'] });

  async function restore() {
    try {
      await api.call(restoreDocuments, { body: { documents: [_id] } });
      show(fill(texts.restored, { title }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function remove() {
    setBusy(true);
    try {
      await api.call(deleteDocument, { params: { id: _id } });
      onDeleted(_id);
      show(fill(texts.deleted, { title }), 'success', { label: texts.undo, onClick: () => void restore() });
    } catch (error) {
      show(fill(texts.deleteFailed, { detail: errorText(error) }), 'error');
    }
    onClose();
    await readAgain();
  }

  return (
    <ConfirmDialog
      title={fill(texts.remove.title, { title })}
      mark={<ShownMark label={document.securityClassification} marked={document.marked} />}
      confirmText={texts.remove.confirm}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {fill(texts.remove.text, { fileName, size: formatSize(sizeBytes) })}
    </ConfirmDialog>
  );
}
