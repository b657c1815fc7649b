import { type CaseRow, deleteCases, restoreCases } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatNumber, namesText, plainText, unitOf } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { texts } from './texts.ts';

type Props = {
  rows: readonly CaseRow[];
  onClose: () => void;
  /** Called after the cases were deleted; the page of a deleted case then returns to the list. */
  onDeleted?: () => void;
};

const words = texts.remove;

/** Confirmation dialog that deletes cases and then offers to undo the deletion. */
export function DeleteCases({ rows, onClose, onDeleted }: Props) {
  const api = useApi();
  const ids = rows.map(({ _id }) => _id);
  const names = namesText(rows.map(({ name }) => ({ name: plainText(name) })));
  const count = formatNumber(rows.length);
  const { busy, confirm } = useDelete({
    queryKey: ['cases'],
    async remove() {
      await inParts(ids, (part) => api.call(deleteCases, { body: { cases: part } }));
      onDeleted?.();
      return { said: fill(unitOf(rows.length, texts.deleted), { names }), undo: { label: texts.undo, run: restore } };
    },
    failed: (text) => fill(texts.deleteFailed, { text }),
    onClose,
  });

  async function restore() {
    await inParts(ids, (part) => api.call(restoreCases, { body: { cases: part } }));
    return fill(unitOf(rows.length, texts.restored), { names });
  }

  return (
    <ConfirmDialog
      title={fill(rows.length === 1 ? words.title : words.titleMany, { name: names, count })}
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
