import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { changeUsers, DEMO_GROUP, type User, type Usergroup } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { namesOf } from './facts.ts';
import { texts } from './texts.ts';

type Props = { users: readonly User[]; groups: readonly Usergroup[]; onClose: () => void };

const words = texts.bulk;

/**
 * Dialog that adds several accounts to groups or removes them. A group in which they differ is unchanged unless the
 * user ticks it.
 */
export function BulkGroupsDialog({ users, groups, onClose }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [requested, setRequested] = useState<Readonly<Record<string, boolean>>>({});
  const [busy, setBusy] = useState(false);
  const choices = groups.filter(({ name }) => name !== DEMO_GROUP);
  const inGroup = (id: string) => users.filter(({ usergroups }) => usergroups.includes(id)).length;
  const add = Object.keys(requested).filter((id) => requested[id] && inGroup(id) < users.length);
  const remove = Object.keys(requested).filter((id) => !requested[id] && inGroup(id) > 0);
  const dirty = add.length + remove.length > 0;

  async function submit() {
    if (!dirty) return;
    setBusy(true);
    try {
      const { message } = await api.call(changeUsers, { body: { users: users.map(({ _id }) => _id), add, remove } });
      show(message);
      onClose();
    } catch (error) {
      show(fill(texts.failedUpdate, { name: namesOf(users), text: errorText(error) }), 'error');
      setBusy(false);
    }
    await queries.invalidateQueries({ queryKey: ['users'] });
  }

  return (
    <FormDialog
      title={
        users.length === 1
          ? fill(words.groupsTitleOne, { name: users[0]!.username })
          : fill(words.groupsTitle, { count: users.length })
      }
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={words.apply}
      canSubmit={dirty && !busy}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
        {words.groupsLead}
      </Typography>
      {choices.map(({ _id: id, name, securityClassification }) => {
        const count = inGroup(id);
        const isPartial = requested[id] === undefined && count > 0 && count < users.length;
        return (
          <Box key={id} sx={{ display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}>
            <FormControlLabel
              control={
                <Checkbox
                  checked={requested[id] ?? count === users.length}
                  indeterminate={isPartial}
                  onChange={(event) =>
                    setRequested((before) => ({ ...before, [id]: isPartial || event.target.checked }))
                  }
                />
              }
              label={name}
              sx={{ flex: 1, m: 0, overflowWrap: 'anywhere' }}
            />
            <LabelMark label={securityClassification} />
          </Box>
        );
      })}
    </FormDialog>
  );
}
