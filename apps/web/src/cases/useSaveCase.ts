import { type CaseRow, createCase, type Usergroup, updateCase } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { audienceOf } from '../ui/fields/sharing.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { NewPart } from './add/collected.ts';
import { texts as add } from './add/texts.ts';
import { type CaseForm, changeBody } from './form.ts';
import { texts } from './texts.ts';

type Known = { groups: readonly Usergroup[]; people: ReadonlyMap<string, string> };

/** Returns functions that create and change cases, and report the outcome to the user. */
export function useSaveCase() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['cases'] });

  async function create(form: CaseForm, groups: readonly Usergroup[], parts: readonly NewPart[]): Promise<boolean> {
    try {
      const body = {
        name: form.name.trim(),
        description: form.description.trim(),
        securityClassification: form.label,
        ...audienceOf(form, groups),
        ...(parts.length > 0 && { parts: [...parts] }),
      };
      const { _id, message } = await api.call(createCase, { body });
      show(message, 'success', { label: add.open, onClick: () => void navigate(`/cases/${_id}`) });
      await readAgain();
      return true;
    } catch (error) {
      show(fill(texts.creating, { text: errorText(error) }), 'error');
      return false;
    }
  }

  /** Resolves to `conflict` if another user changed the case first; the newest revision has then been read. */
  async function update(row: CaseRow, form: CaseForm, known: Known): Promise<'done' | 'failed' | 'conflict'> {
    const revision = queries.getQueryData<CaseRow>(['cases', 'one', row._id])?.revision ?? row.revision;
    try {
      const body = changeBody(row, form, { ...known, revision: Math.max(revision, row.revision) });
      const changed = await api.call(updateCase, { params: { id: row._id }, body });
      queries.setQueryData(['cases', 'one', row._id], changed);
      show(fill(texts.updated, { name: changed.name }));
      await readAgain();
      return 'done';
    } catch (error) {
      await readAgain();
      if (isCode(error, 'revisionConflict')) return 'conflict';
      show(fill(texts.updating, { text: errorText(error) }), 'error');
      return 'failed';
    }
  }

  return { create, update };
}
