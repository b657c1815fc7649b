import { Stack, Typography } from '@mui/material';
import { inviteUser, isAdmin, type PasswordLink, type Usergroup, username } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { emailProblem } from './draft.ts';
import { GroupTable } from './GroupTable.tsx';
import { texts } from './texts.ts';
import { ticked } from './ticks.ts';
import { type Draft, UserFields } from './UserFields.tsx';

type Props = { groups: readonly Usergroup[]; onClose: () => void; onMade: (link: PasswordLink) => void };

const words = texts.create;

const empty: Draft = {
  firstName: '',
  lastName: '',
  company: '',
  email: '',
  country: '',
  authorizationRole: 'user',
  securityClearance: 'UNCLASSIFIED',
  usergroups: [],
  usergroupsAdmin: [],
};

function nameProblem(name: string): string | null {
  if (name.trim() === '') return words.nameRequired;
  return username.safeParse(name).success ? null : words.nameBad;
}

/** Dialog for a new account without a password, which its owner sets by the link that is shown next. */
export function CreateUserDialog({ groups, onClose, onMade }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(empty);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const badEmail = emailProblem(null, draft);
  const badName = tried ? nameProblem(name) : null;

  async function submit() {
    setTried(true);
    if (nameProblem(name) !== null || badEmail !== undefined) return;
    setBusy(true);
    const { firstName: first_name, lastName: last_name, usergroups, usergroupsAdmin, ...rest } = draft;
    const body = { ...rest, username: name, first_name, last_name, email: draft.email.trim() };
    try {
      const link = await api.call(inviteUser, {
        body: { ...body, usergroups: [...usergroups], usergroupsAdmin: [...usergroupsAdmin] },
      });
      onMade(link);
      await queries.invalidateQueries({ queryKey: ['users'] });
    } catch (error) {
      show(fill(texts.failedAdd, { name: name.trim(), text: errorText(error) }), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={words.title}
      width={560}
      dirty={name !== '' || draft !== empty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={words.submit}
      canSubmit={!busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.lead}
        </Typography>
        <Field
          autoFocus
          label={texts.columns.username}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={badName ?? undefined}
          slotProps={{ htmlInput: { maxLength: 64, autoComplete: 'off' } }}
        />
        <UserFields
          actor={actor}
          draft={draft}
          onChange={change}
          mayEdit
          mayGiveRights={isAdmin(actor)}
          emailProblem={badEmail}
        />
        <GroupTable
          name={name}
          role={draft.authorizationRole}
          groups={groups}
          member={draft.usergroups}
          controls={draft.usergroupsAdmin}
          onMember={(ticks) => change({ usergroups: ticked(draft.usergroups, ticks) })}
          onControls={(ticks) => change({ usergroupsAdmin: ticked(draft.usergroupsAdmin, ticks) })}
          mayChange
          mayControl={isAdmin(actor)}
        />
      </Stack>
    </FormDialog>
  );
}
