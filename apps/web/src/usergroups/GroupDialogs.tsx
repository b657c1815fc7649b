import { Box } from '@mui/material';
import { createUsergroup, deleteUsergroups, onlyAudience, type Usergroup } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { type GroupDraft, GroupFields, nameProblemOf } from './GroupFields.tsx';
import { texts } from './texts.ts';

const empty: GroupDraft = { name: '', description: '', securityClassification: 'UNCLASSIFIED', liveModes: [] };

export function CreateGroupDialog({ onClose, onMade }: { onClose: () => void; onMade: (group: Usergroup) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [draft, setDraft] = useState(empty);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);

  async function submit() {
    setTried(true);
    if (nameProblemOf(draft.name) !== undefined) return;
    setBusy(true);
    try {
      const made = await api.call(createUsergroup, { body: draft });
      show(fill(texts.done.add, { name: made.name }));
      await queries.invalidateQueries({ queryKey: ['usergroups'] });
      onMade(made);
    } catch (error) {
      show(fill(texts.failedAdd, { name: draft.name.trim(), text: errorText(error) }), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={texts.create.title}
      dirty={draft !== empty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={texts.create.submit}
      canSubmit={!busy}
    >
      <GroupFields
        autoFocus
        draft={draft}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        nameProblem={tried ? nameProblemOf(draft.name) : undefined}
      />
    </FormDialog>
  );
}

const words = texts.removal;

type RemoveProps = { group: Usergroup; onClose: () => void; onRemoved: () => void };

/**
 * Dialog that asks for confirmation before a group is deleted; lists the items that no account could see afterwards.
 */
export function RemoveGroup({ group, onClose, onRemoved }: RemoveProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const { name } = group;
  const only = useQuery({
    queryKey: ['usergroups', 'only', name],
    queryFn: ({ signal }) => api.call(onlyAudience, { query: { usergroups: name } }, { signal }),
    staleTime: 0,
  });

  async function remove() {
    setBusy(true);
    try {
      // Confirmed, since the dialog has listed the items that no account could see.
      show((await api.call(deleteUsergroups, { query: { usergroups: name, confirm: '1' } })).message);
      onRemoved();
    } catch (error) {
      show(fill(texts.failedDelete, { name, text: errorText(error) }), 'error');
    }
    onClose();
    await queries.invalidateQueries({ queryKey: ['usergroups'] });
  }

  return (
    <ConfirmDialog
      title={fill(words.title, { name })}
      confirmText={words.confirm}
      danger
      busy={busy || only.data === undefined}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {fill(words.text, { name })}
      {only.isPending && <Box sx={{ mt: 3, color: 'text.secondary' }}>{words.checking}</Box>}
      {only.isError && (
        <Box role="alert" sx={{ mt: 3 }}>
          {errorText(only.error)}
        </Box>
      )}
      {only.data && (only.data.items.length > 0 || only.data.hidden) && (
        <Box sx={{ mt: 3 }}>
          {only.data.items.length > 0 && words.only}
          <Box component="ul" sx={{ m: 0, mt: 1, pl: 4 }}>
            {only.data.items.map((item) => (
              <li key={item._id}>
                {words.nouns[item.noun]} {item.name} <ShownMark label={item.label} />
              </li>
            ))}
          </Box>
          {only.data.hidden && words.hidden}
        </Box>
      )}
    </ConfirmDialog>
  );
}
