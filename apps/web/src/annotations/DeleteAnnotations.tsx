import { type AnnotationRow, deleteAnnotation, deleteAnnotations, restoreAnnotations } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatNumber, namesText, plainText } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { texts } from './texts.ts';

type Props = { rows: readonly AnnotationRow[]; onClose: () => void };

const words = texts.remove;

/** Asks for confirmation, deletes annotations, and offers to undo this. */
export function DeleteAnnotations({ rows, onClose }: Props) {
  const api = useApi();
  const ids = rows.map(({ _id }) => _id);
  const names = namesText(rows.map(({ title }) => ({ name: plainText(title) })));
  const [single] = rows.length === 1 ? rows : [];
  const count = formatNumber(rows.length);
  const { busy, confirm } = useDelete({
    queryKey: ['annotations'],
    async remove() {
      if (single) await api.call(deleteAnnotation, { params: { id: single._id } });
      else await inParts(ids, (part) => api.call(deleteAnnotations, { body: { annotations: part } }));
      const notice = single ? texts.deleted : fill(texts.deletedMany, { count });
      return { said: notice, undo: { label: texts.undo, run: restore } };
    },
    failed: (message) => fill(texts.deleteFailed, { message }),
    onClose,
  });

  async function restore() {
    await inParts(ids, (part) => api.call(restoreAnnotations, { body: { annotations: part } }));
    return fill(texts.restored, { title: names });
  }

  return (
    <ConfirmDialog
      title={fill(single ? words.title : words.titleMany, { title: plainText(single?.title ?? ''), count })}
      mark={<HighestMark items={rows} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(words.text, { names })}
    </ConfirmDialog>
  );
}
