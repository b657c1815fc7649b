import { type DocumentRow, deleteDocument, restoreDocuments } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { fill, formatSize } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { texts } from './texts.ts';

type Props = { document: DocumentRow; onClose: () => void; onDeleted: (id: string) => void };

/** Asks for confirmation, deletes a document, and offers to undo this. */
export function DeleteDocument({ document, onClose, onDeleted }: Props) {
  const api = useApi();
  const { _id, title, fileName, sizeBytes } = document;
  const { busy, confirm } = useDelete({
    queryKey: ['documents'],
    async remove() {
      await api.call(deleteDocument, { params: { id: _id } });
      onDeleted(_id);
      return { said: fill(texts.deleted, { title }), undo: { label: texts.undo, run: restore } };
    },
    failed: (detail) => fill(texts.deleteFailed, { detail }),
    onClose,
  });

  async function restore() {
    await api.call(restoreDocuments, { body: { documents: [_id] } });
    return fill(texts.restored, { title });
  }

  return (
    <ConfirmDialog
      title={fill(texts.remove.title, { title })}
      mark={<ShownMark label={document.securityClassification} marked={document.marked} />}
      confirmText={texts.remove.confirm}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(texts.remove.text, { fileName, size: formatSize(sizeBytes) })}
    </ConfirmDialog>
  );
}
