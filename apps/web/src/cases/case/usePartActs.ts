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

/** Changes, takes out and puts back parts of a case, and says what became of it. */
export function usePartActs({ _id: id }: Pick<CaseRow, '_id'>) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['cases'] });

  /**
   * `conflict`: another user was faster, and their version has come.
   *
   * @param part as it was when its change began: the list follows others meanwhile, and would hide a conflict
   * @param replaces after a conflict: the newest version is replaced
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
      // `lockOut` skips the question about people who lose access: they had none to this part a moment ago.
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
