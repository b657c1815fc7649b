import { Stack, Typography } from '@mui/material';
import { type LivePlatform, REASON_MIN, setPlatformUsergroups, type Usergroup } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { groupsFor, isWidened, managedShareText, sentGroups } from '../../ui/fields/sharing.ts';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { platform: LivePlatform; groups: readonly Usergroup[]; onClose: () => void };

/** Dialog for the user groups that can see a platform. */
export function PlatformGroupsDialog({ platform, groups, onClose }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const [usergroups, setUsergroups] = useState([...platform.usergroups]);
  const [touched, setTouched] = useState(false);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const { name, audience, securityClassification: label } = platform;
  const form = { label, everyone: false, usergroups };
  const isChanged = audience === 'everyone' || usergroups.join() !== platform.usergroups.join();
  const problem = isChanged ? managedShareText(actor, form, groups) : null;
  const needsReason = isWidened(platform, form, groups);
  const reasonMissing = needsReason && reason.trim().length < REASON_MIN;

  async function save() {
    if (problem !== null || reasonMissing || !isChanged || busy) return;
    setBusy(true);
    const ids = sentGroups(form, groups).join(',');
    try {
      await api.call(setPlatformUsergroups, {
        params: { name },
        query: { ids, ...(needsReason && { reason: reason.trim() }) },
      });
      show(fill(texts.saved, { name }));
      await queries.invalidateQueries({ queryKey: ['platforms'] });
      onClose();
    } catch (error) {
      alert('Error', fill(texts.failed, { name, text: errorText(error) }));
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={fill(texts.dialog, { name })}
      mark={<LabelMark label={label} marked={platform.marked} />}
      dirty={touched}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={texts.save}
      canSubmit={isChanged && problem === null && !reasonMissing && !busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {fill(audience === 'everyone' ? texts.everyoneNow : texts.lead, { name })}
        </Typography>
        <GroupPicker
          groups={groupsFor(actor, groups)}
          label={label}
          value={form}
          onChange={(value) => {
            setUsergroups(value.usergroups);
            setTouched(true);
          }}
          mayEveryone={false}
          demoFixed={false}
          problem={touched ? (problem ?? undefined) : undefined}
        />
        {needsReason && (
          <Field
            required
            multiline
            label={texts.reason}
            help={fill(texts.reasonHelp, { minimum: REASON_MIN })}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 500 } }}
          />
        )}
      </Stack>
    </FormDialog>
  );
}
