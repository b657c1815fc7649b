import {
  addCaseParts,
  type CasePart,
  type CaseRow,
  removeCaseParts,
  restoreCaseParts,
  updateCasePart,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill, plainText } from '../../base/format.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Change = { title?: string; text?: string; remark?: string };

/** Returns functions that change, remove and restore parts of a case, and report the outcome to the user. */
export function usePartActs({ _id: id }: Pick<CaseRow, '_id'>) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['cases'] });

  /**
   * Changes a part. Resolves to `conflict` if another user changed it first; their version has then been read.
   *
   * @param part the part as it was when editing began; the current part in the list may already contain the other
   * user's change, which would hide a conflict
   * @param replaces true after a conflict: the newest version is replaced
   */
  async function update(
    part: CasePart,
    change: Change,
    { replaces }: { replaces: boolean },
  ): Promise<'done' | 'failed' | 'conflict'> {
    const parts = queries.getQueryData<CasePart[]>(['cases', 'parts', id]);
    const newest = replaces ? parts?.find(({ _id }) => _id === part._id) : undefined;
    const { revision } = newest ?? part;
    try {
      const body = { ...change, revision };
      const changed = await api.call(updateCasePart, { params: { id, partId: part._id }, body });
      queries.setQueryData<CasePart[]>(['cases', 'parts', id], (before) =>
        before?.map((one) => (one._id === changed._id ? changed : one)),
      );
      void readAgain();
      return 'done';
    } catch (error) {
      await readAgain();
      if (isCode(error, 'revisionConflict')) return 'conflict';
      show(fill(texts.saving, { text: errorText(error) }), 'error');
      return 'failed';
    }
  }

  async function addNote(note: { title: string; text: string }): Promise<boolean> {
    try {
      await api.call(addCaseParts, { params: { id }, body: { parts: [{ kind: 'note', ...note }] } });
      await readAgain();
      return true;
    } catch (error) {
      show(fill(texts.saving, { text: errorText(error) }), 'error');
      return false;
    }
  }

  async function restore({ _id, title }: CasePart): Promise<void> {
    try {
      // `lockOut` skips the confirmation for readers who lose access: until a moment ago the part was in the case, so
      // they had no access then.
      await api.call(restoreCaseParts, { params: { id }, body: { parts: [_id], lockOut: true } });
      show(fill(texts.putBack, { title: plainText(title) }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function takeOut(part: CasePart): Promise<void> {
    try {
      await api.call(removeCaseParts, { params: { id }, body: { parts: [part._id] } });
      const undo = { label: texts.undo, onClick: () => void restore(part) };
      show(fill(texts.taken, { title: plainText(part.title) }), 'success', undo);
    } catch (error) {
      show(fill(texts.removing, { text: errorText(error) }), 'error');
    }
    await readAgain();
  }

  return { update, addNote, takeOut };
}

export type PartActs = ReturnType<typeof usePartActs>;
