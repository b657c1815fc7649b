import { MenuItem, Stack } from '@mui/material';
import { createRetentionRule, type RetentionRule, updateRetentionRule } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { errorText } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.retention;
const DAYS_MAX = 36_500;

/** Dialog to add or change a retention rule. */
export function RuleDialog({ rule, onClose }: { rule: RetentionRule | null; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const [first] = useState(() => ({
    usergroup: rule?.usergroup ?? '',
    platform: rule?.platform ?? '',
    days: String(rule?.days ?? 365),
  }));
  const [usergroup, setUsergroup] = useState(first.usergroup);
  const [platform, setPlatform] = useState(first.platform);
  const [days, setDays] = useState(first.days);
  const [busy, setBusy] = useState(false);
  const count = Number(days);
  const isBad = !/^\d+$/.test(days.trim()) || count < 1 || count > DAYS_MAX;

  async function save() {
    if (isBad) return;
    setBusy(true);
    const body = { usergroup: usergroup || null, platform: platform.trim() || null, days: count };
    try {
      if (rule === null) await api.call(createRetentionRule, { body });
      else await api.call(updateRetentionRule, { params: { id: rule._id }, body });
      show(words.saved);
      await queries.invalidateQueries({ queryKey: ['retention'] });
      onClose();
    } catch (error) {
      show(errorText(error), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={rule === null ? words.newTitle : words.editTitle}
      dirty={usergroup !== first.usergroup || platform !== first.platform || days !== first.days}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={words.save}
      canSubmit={!busy && !isBad}
    >
      <Stack spacing={4}>
        <Field
          select
          label={words.columns.usergroup}
          value={usergroup}
          onChange={(event) => setUsergroup(event.target.value)}
          slotProps={{ select: { displayEmpty: true } }}
        >
          <MenuItem value="">{words.any}</MenuItem>
          {groups.map(({ _id, name }) => (
            <MenuItem key={_id} value={_id}>
              {name}
            </MenuItem>
          ))}
        </Field>
        <Field
          label={words.columns.platform}
          value={platform}
          onChange={(event) => setPlatform(event.target.value)}
          help={words.platformHelp}
        />
        <Field
          label={words.columns.days}
          value={days}
          onChange={(event) => setDays(event.target.value)}
          problem={isBad ? words.daysBad : undefined}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
      </Stack>
    </FormDialog>
  );
}
